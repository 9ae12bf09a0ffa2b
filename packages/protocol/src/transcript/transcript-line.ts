import type { Line } from "../framing/line.ts";

/** A line for a session's log, made of a line of a transcript. */
export interface TranscriptLine {
  /** `keeper` marks a line that nobody printed: a marker of the log. */
  readonly from: "agent" | "keeper";
  readonly line: Line;
  /** When the transcript says that it was written, in milliseconds. */
  readonly at?: number;
}

/** What could not be read of a transcript, or not in the usual way. The line itself is kept. */
export interface TranscriptProblem {
  readonly kind: "torn" | "glued" | "foreign" | "cut" | "orphan" | "clock" | "repeated";
  /** The uuid of the message, if it has one. */
  readonly uuid?: string;
}
