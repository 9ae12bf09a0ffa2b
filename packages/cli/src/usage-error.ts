/** The command line makes no sense; the message says why, and the command's help is shown. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
