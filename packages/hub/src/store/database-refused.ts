/** The database cannot be opened; the message says why, and what to do. */
export class DatabaseRefusedError extends Error {
  override readonly name = "DatabaseRefusedError";
  readonly code = "DATABASE_REFUSED";
}
