import type { Writable } from "node:stream";
import type { Line, Transport } from "@signalbox/protocol/wire";
import { stdioTransport } from "./stdio.ts";
import type { WebSocketOptions } from "./websocket.ts";

/** A prompt as text, nothing (blank text), or the bytes of a stream. */
export type TransportInput = string | AsyncIterable<Uint8Array>;

export interface TransportOptions extends WebSocketOptions {
  readonly sdkUrl?: string | undefined;
  readonly output: Writable;
}

/** Opens stdio, or with `--sdk-url` a WebSocket that gets the input before anything of its own. */
export async function openTransport(
  input: TransportInput,
  choice: TransportOptions,
): Promise<Transport> {
  const { sdkUrl, output, ...options } = choice;
  const bytes = typeof input === "string" ? getBytes(promptLines(input)) : input;
  const local = stdioTransport(bytes, output);
  if (sdkUrl === undefined) return local;
  const { webSocketTransport } = await import("./websocket.ts");
  const remote = webSocketTransport(sdkUrl, options);
  return { ...bindMethods(remote), incoming: mergeSources(remote.incoming, local.incoming) };
}

/** Turns text into a line with one prompt; blank text gives no line. */
export function promptLines(text: string): string[] {
  if (text.trim() === "") return [];
  const message = { role: "user", content: text };
  return [JSON.stringify({ type: "user", session_id: "", message, parent_tool_use_id: null })];
}

async function* getBytes(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

function bindMethods(transport: Transport): Omit<Transport, "incoming"> {
  return {
    closed: transport.closed,
    send: (line) => transport.send(line),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** Yields the lines of both as they come, and ends when the first source ends. */
async function* mergeSources(
  main: AsyncIterable<readonly Line[]>,
  side: AsyncIterable<readonly Line[]>,
): AsyncGenerator<readonly Line[], void, undefined> {
  const sources = [main, side].map((lines) => lines[Symbol.asyncIterator]());
  const next = (at: number) => sources[at]!.next().then((step) => ({ at, step }));
  const waiting = new Map([0, 1].map((at) => [at, next(at)]));
  while (waiting.has(0)) {
    const { at, step } = await Promise.race(waiting.values());
    if (step.done) waiting.delete(at);
    else {
      waiting.set(at, next(at));
      yield step.value;
    }
  }
}
