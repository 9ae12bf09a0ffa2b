import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Beat } from "../reply/beats.ts";
import { MessageCollector } from "../reply/collect.ts";
import { Pace } from "./pace.ts";

const batchChars = 16 * 1024;

/** Plays beats as server-sent events. Nothing is made before the client has room for it. */
export async function pumpStream(
  response: ServerResponse,
  beats: Iterable<Beat>,
  signal: AbortSignal,
): Promise<void> {
  const pace = new Pace();
  let waiting = "";
  const flush = async () => {
    if (waiting === "") return;
    const hasRoom = response.write(waiting);
    waiting = "";
    if (hasRoom) await nextTurn(undefined, { signal }); // a flood leaves others their turn
    else await once(response, "drain", { signal });
  };
  for (const beat of beats) {
    switch (beat.kind) {
      case "event":
        waiting += `event: ${beat.event.type}\ndata: ${JSON.stringify(beat.event)}\n\n`;
        if (waiting.length >= batchChars) await flush();
        break;
      case "pause":
        await flush();
        await sleep(beat.ms, undefined, { signal });
        break;
      case "pace": {
        const ms = pace.next(beat.perSecond);
        if (ms === 0) break;
        await flush();
        await sleep(ms, undefined, { signal });
        break;
      }
      case "stall":
        await flush();
        await once(signal, "abort");
        return;
      case "cut":
        await flush();
        response.destroy();
        return;
      default:
        beat satisfies never;
    }
  }
  await flush();
  response.end();
}

/** Plays beats into one JSON object, for a client that did not ask for a stream. */
export async function pumpWhole(
  response: ServerResponse,
  beats: Iterable<Beat>,
  signal: AbortSignal,
): Promise<void> {
  const collected = new MessageCollector();
  for (const beat of beats) {
    if (beat.kind === "event") collected.add(beat.event);
    else if (beat.kind === "pause") await sleep(beat.ms, undefined, { signal });
    else if (beat.kind === "stall") await once(signal, "abort");
    else if (beat.kind === "cut") return void response.destroy();
  }
  response.end(JSON.stringify(collected.message));
}
