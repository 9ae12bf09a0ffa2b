/**
 * Thrown for an invalid command line. The message says what is wrong, and the program exits with 1.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
