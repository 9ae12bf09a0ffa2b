import { errorMessage } from "@signalbox/protocol/text";

/** The command line is not valid. The message says why and is followed by a pointer to the help. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** Converts an error of `parseArgs`, without the parts about its implementation. */
  static fromParseError(failure: unknown): UsageError {
    const message = errorMessage(failure);
    const dashed = /^Option '(\S+)[^']*' argument is ambiguous/.exec(message)?.[1];
    if (dashed !== undefined) {
      return new UsageError(
        `${dashed} needs a value. Write ${dashed}=VALUE if the value starts with a dash.`,
      );
    }
    const [first = message] = message.split(
      /\. (?:To specify a positional|This command does not take)/,
    );
    return new UsageError(`${first}.`);
  }
}
