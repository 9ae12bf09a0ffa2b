import type { Line } from "@signalbox/protocol";
import type { Change } from "../store/store.ts";

/** A line as the link brings it. */
export interface ReceivedLine {
  readonly seq: number | null;
  readonly run: string | null;
  readonly from: "agent" | "host" | "keeper";
  readonly at: number;
  readonly line: Line;
  /** Set: the line is too long to be read and lies in the store already; `line` is its beginning. */
  readonly spooled?: SpooledLine;
}

export interface SpooledLine {
  readonly characters: number;
  readonly textBlob: string;
  readonly originalBlob: string | null;
  /** What makes blobs of its pieces, to be written with the line. */
  readonly changes: readonly Change[];
}
