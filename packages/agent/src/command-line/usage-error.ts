/** The command line makes no sense: the text says why, and the program ends with 1. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
