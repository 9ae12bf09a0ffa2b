/** The command line makes no sense; the message says why, and the command's help is shown. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** What `parseArgs` found wrong, without its advice for positional arguments. */
  static from(failure: unknown): UsageError {
    const said = failure instanceof Error ? failure.message : String(failure);
    return new UsageError(`${said.replace(/\. To specify a positional [^]*$/, "")}.`);
  }
}
