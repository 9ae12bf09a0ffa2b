import { setTimeout as wait } from "node:timers/promises";
import { parseObject } from "@signalbox/protocol/wire";
import type { Rpc } from "./channel.ts";
import { eventsIn } from "./events.ts";

const FIRST_DELAY_MS = 1000;
const GROWTH = 1.5;
const MAX_TRIES = 2;

export interface Streams {
  /** Opens the stream of the server's own messages, or the part that follows an event. */
  readonly get: (after: string | undefined) => Promise<Response>;
  readonly take: (message: Rpc) => void;
  /** Aborts when nothing more is needed. */
  readonly signal: AbortSignal;
}

/** How far a stream has been read. */
interface Place {
  after: string | undefined;
  delayMs: number | undefined;
}

/**
 * Reads a call's stream until the answer is complete, over as many connections as necessary.
 * Resolves when nothing more comes.
 */
export async function followAnswer(
  response: Response,
  streams: Streams,
  isAnswered: () => boolean,
): Promise<void> {
  const place: Place = { after: undefined, delayMs: undefined };
  let current: Response | undefined = response;
  while (current) {
    // The stream broke. What matters is how far it was read.
    await read(current, streams, place).catch(() => {});
    // A stream without ids from the server cannot be resumed.
    if (isAnswered() || place.after === undefined) return;
    current = await reopenStream(streams, place);
  }
}

/** Reads the server's own messages for as long as it offers a stream of them. */
export async function followServer(streams: Streams): Promise<void> {
  const place: Place = { after: undefined, delayMs: undefined };
  let current: Response | undefined = await streams.get(undefined);
  while (current?.ok) {
    await read(current, streams, place).catch(() => {});
    current = await reopenStream(streams, place);
  }
}

async function read(response: Response, { take }: Streams, place: Place): Promise<void> {
  for await (const { id, retry, data, type } of eventsIn(response)) {
    place.after = id ?? place.after;
    place.delayMs = retry ?? place.delayMs;
    const message = type === "message" ? parseObject(data) : "no message";
    if (typeof message !== "string") take(message);
  }
}

async function reopenStream(
  { get, signal }: Streams,
  { after, delayMs }: Place,
): Promise<Response | undefined> {
  for (let tries = 0; tries < MAX_TRIES && !signal.aborted; tries++) {
    const pause = delayMs ?? FIRST_DELAY_MS * GROWTH ** tries;
    await wait(pause, undefined, { signal, ref: false }).catch(() => {});
    const response = signal.aborted ? undefined : await get(after).catch(() => undefined);
    if (response?.ok) return response;
    await response?.body?.cancel();
  }
  return undefined;
}
