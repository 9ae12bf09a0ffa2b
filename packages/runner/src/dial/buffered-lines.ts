import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRunEnd } from "@signalbox/host/launch";
import { Dial, type DialOptions } from "./dial.ts";
import { saveAsText } from "./save-as-text.ts";
import { addressHash, readLifeNote } from "./life-note.ts";

const WORDS = "signalbox dial was ended unexpectedly, and its agent with it.";

/** A process that is gone: it says nothing, and hears nothing. */
const endedProcess: DialOptions["process"] = {
  incoming: { async *[Symbol.asyncIterator]() {} },
  closed: Promise.resolve(createRunEnd("crashed", { code: null, signal: null })),
  exitStatus: { code: null, signal: null },
  stderr: WORDS,
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Delivers what commands that were killed had kept for this address, the oldest first, each with the word
 * that its agent is over. Of a life that is over for the hub the lines are kept as text, and that is told.
 * When `signal` aborts, it stops: what was not delivered stays on the disk for the next command.
 */
export async function deliverBufferedLines(
  parent: string,
  options: Pick<DialOptions, "url" | "token" | "onEvent" | "firstMs">,
  signal?: AbortSignal,
): Promise<void> {
  const folders = readdirSync(parent).map((name) => join(parent, name));
  const lives = folders.flatMap((dataFolder) => {
    const note = readLifeNote(dataFolder);
    return note?.to === addressHash(options.url) ? [{ dataFolder, ...note }] : [];
  });
  for (const { dataFolder, life, skipped } of lives.toSorted((a, b) => a.since - b.since)) {
    if (signal?.aborted) return;
    const about = { folder: "", agent: {} };
    const dial = new Dial({
      ...options,
      dataFolder,
      about,
      endedLife: { life, skipped },
      process: endedProcess,
    });
    const leave = () => dial.leave();
    signal?.addEventListener("abort", leave, { once: true });
    const end = await dial.done;
    signal?.removeEventListener("abort", leave);
    if (end.kind === "left") return;
    // Another secret may open it, or a relay that is on again.
    if (end.kind === "refused" && end.status !== 410) continue;
    const file = end.kind === "refused" ? saveAsText(dataFolder) : undefined;
    if (file !== undefined) options.onEvent?.({ kind: "kept", file });
    else rmSync(dataFolder, { recursive: true, force: true });
  }
}
