import { setTimeout as wait } from "node:timers/promises";
import { parseObject } from "@signalbox/protocol/wire";
import type { Rpc } from "./channel.ts";
import { eventsIn } from "./events.ts";

const FIRST_DELAY_MS = 1000;
const GROWTH = 1.5;
const MOST_TRIES = 2;

export interface Streams {
  /** Asks for the stream of what the server says by itself, or for what follows an event. */
  readonly get: (after: string | undefined) => Promise<Response>;
  readonly take: (message: Rpc) => void;
  /** Aborted when nothing is wanted any more. */
  readonly signal: AbortSignal;
}

/** How far a stream was read. */
interface Place {
  after: string | undefined;
  delayMs: number | undefined;
}

/** Reads a call's stream until its answer is there, over as many connections as it takes. Resolves
 * when nothing more comes. */
export async function followAnswer(
  response: Response,
  streams: Streams,
  isAnswered: () => boolean,
): Promise<void> {
  const place: Place = { after: undefined, delayMs: undefined };
  let current: Response | undefined = response;
  while (current) {
    await read(current, streams, place).catch(() => {}); // it broke: what counts is how far it came
    // Without an id of the server's nothing can be resumed.
    if (isAnswered() || place.after === undefined) return;
    current = await reopened(streams, place);
  }
}

/** Follows what a server says by itself, for as long as it offers such a stream. */
export async function followServer(streams: Streams): Promise<void> {
  const place: Place = { after: undefined, delayMs: undefined };
  let current: Response | undefined = await streams.get(undefined);
  while (current?.ok) {
    await read(current, streams, place).catch(() => {});
    current = await reopened(streams, place);
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

async function reopened(
  { get, signal }: Streams,
  { after, delayMs }: Place,
): Promise<Response | undefined> {
  for (let tries = 0; tries < MOST_TRIES && !signal.aborted; tries++) {
    const pause = delayMs ?? FIRST_DELAY_MS * GROWTH ** tries;
    await wait(pause, undefined, { signal, ref: false }).catch(() => {});
    const response = signal.aborted ? undefined : await get(after).catch(() => undefined);
    if (response?.ok) return response;
    await response?.body?.cancel();
  }
  return undefined;
}
