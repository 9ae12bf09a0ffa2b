import type { Line } from "@signalbox/protocol";
import type { Change } from "../store/store.ts";

/** A line as it arrives over the link. */
export interface ReceivedLine {
  readonly seq: number | null;
  readonly run: string | null;
  readonly from: "agent" | "host" | "keeper";
  readonly at: number;
  readonly line: Line;
  /** Set if the line is too long to be read and is in the store already; `line` then holds its beginning. */
  readonly spooled?: SpooledLine;
}

export interface SpooledLine {
  readonly characters: number;
  readonly textBlob: string;
  readonly originalBlob: string | null;
  /** The changes that turn its pieces into blobs, to be written with the line. */
  readonly changes: readonly Change[];
}
