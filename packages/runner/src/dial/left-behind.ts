import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runEnd } from "../drivers/run-end.ts";
import { Dial, type DialOptions } from "./dial.ts";
import { addressHash, readLifeNote } from "./life-note.ts";

const WORDS = "signalbox dial was ended unexpectedly, and its agent with it.";

/** A process that is gone: it says nothing, and hears nothing. */
const gone: DialOptions["process"] = {
  incoming: { async *[Symbol.asyncIterator]() {} },
  closed: Promise.resolve(runEnd("crashed", { code: null, signal: null })),
  exitStatus: { code: null, signal: null },
  stderr: WORDS,
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Delivers what commands that were killed had kept for this address, each with the word that its agent is
 * over. What a relay refuses for good is not kept: it does not want it any more.
 */
export async function deliverLeftBehind(
  parent: string,
  options: Pick<DialOptions, "url" | "token" | "onNews" | "firstMs">,
): Promise<void> {
  for (const name of readdirSync(parent)) {
    const dataFolder = join(parent, name);
    const note = readLifeNote(dataFolder);
    if (note?.to !== addressHash(options.url)) continue;
    const about = { folder: "", agent: {} };
    const dial = new Dial({ ...options, dataFolder, about, endedLife: note.life, process: gone });
    const end = await dial.done;
    if (end.kind === "refused" && end.status === 401) continue; // another secret may open it
    rmSync(dataFolder, { recursive: true, force: true });
  }
}
