/** The command line is not valid. The message says why, and the program exits with 1. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
