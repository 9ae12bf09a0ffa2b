/** The command line makes no sense; the message says why, and the command's help is shown. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** What `parseArgs` found wrong, without what it says of its own inner workings. */
  static fromParseError(failure: unknown): UsageError {
    const said = failure instanceof Error ? failure.message : String(failure);
    const dashed = /^Option '(\S+)[^']*' argument is ambiguous/.exec(said)?.[1];
    if (dashed !== undefined) {
      return new UsageError(
        `${dashed} needs a value. One that begins with a dash is written ${dashed}=VALUE.`,
      );
    }
    const [first = said] = said.split(/\. (?:To specify a positional|This command does not take)/);
    return new UsageError(`${first}.`);
  }
}
