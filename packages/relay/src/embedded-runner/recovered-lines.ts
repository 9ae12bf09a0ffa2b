import { type UndeliveredSession, readUndeliveredLines } from "@signalbox/runner/link";
import type { StoredProgress } from "../transport/numbered-protocol.ts";

/**
 * What the previous process of the hub had written down of a run and not stored when it ended: its store could not take it,
 * or it was killed. The lines are brought to the store before anything else of their session is let in.
 */
export class RecoveredLines {
  readonly run: string;
  /** The number of the last line. */
  readonly last: number;
  /** Incomplete bytes, which are lost unless the agent repeats the line. */
  readonly cutBytes: number;
  /** The lines contain the end of the run. */
  readonly endsRun: boolean;
  readonly #found: UndeliveredSession;

  constructor(found: UndeliveredSession) {
    const record = found.frames.at(-1)?.record;
    this.#found = found;
    this.run = found.run;
    this.cutBytes = found.cutBytes;
    this.last = record?.last ?? 0;
    this.endsRun = record?.ends ?? false;
  }

  /**
   * The lines that the store does not have: how many come from the agent, and those to the agent.
   */
  countAfter(storedSeq: number): StoredProgress {
    const host: string[] = [];
    let agent = 0;
    for (const { seq, from, text } of readUndeliveredLines(this.#found)) {
      if (seq <= storedSeq) continue;
      if (from === "agent") agent += 1;
      if (from === "host") host.push(text);
    }
    return { agent, host };
  }
}
