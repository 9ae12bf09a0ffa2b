import type { Writable } from "node:stream";
import {
  type CloseReason,
  deferred,
  readLines,
  SignalboxError,
  type Transport,
  escapeLineSeparators,
} from "@signalbox/protocol/wire";

/**
 * The transport to a host at the other end of our own stdin and stdout. Lines are written in the
 * order in which they are given; `send` resolves when the pipe has room again, and `close` when
 * everything is written.
 */
export function stdioTransport(
  input: AsyncIterable<Uint8Array>,
  output: Writable,
  options: { lineLimit?: number } = {},
): Transport {
  const { promise: closed, resolve: settle } = deferred<CloseReason>();
  let over: CloseReason | undefined;
  let wake: (() => void)[] = [];
  const end = (reason: CloseReason) => {
    over ??= reason;
    settle(over);
    for (const go of wake.splice(0)) go();
  };
  output.on("drain", () => {
    for (const go of wake.splice(0)) go();
  });
  output.on("error", (cause: Error) =>
    end({ kind: "broken", sentence: `The host no longer reads: ${cause.message}.` }),
  );

  async function send(line: string): Promise<void> {
    if (over) throw new SignalboxError("CONNECTION_CLOSED", { reason: over });
    if (output.write(`${escapeLineSeparators(line)}\n`)) return;
    await new Promise<void>((resolve) => wake.push(resolve));
  }
  async function close(): Promise<void> {
    if (!over) await new Promise<void>((resolve) => output.write("", () => resolve()));
    end({ kind: "closed", sentence: "The connection was closed." });
  }
  const incoming = readLines(
    input,
    options.lineLimit === undefined ? {} : { limit: options.lineLimit },
  );
  return { incoming, send, closed, close, [Symbol.asyncDispose]: close };
}
