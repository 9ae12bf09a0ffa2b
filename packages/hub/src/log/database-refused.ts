/** The database cannot be opened; the message says why and what to do. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
  readonly code = "DATABASE_REFUSED";
}
