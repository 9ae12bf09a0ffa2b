import type { Decoded } from "@signalbox/protocol";
import type { TimelineEvent } from "@signalbox/timeline";
import type { ReceivedLine } from "../link/received-line.ts";

/** When the lines of a transaction passed each step, in milliseconds since the epoch. */
export interface BatchTimes {
  readonly run: string | null;
  readonly lines: number;
  /** When the runner read the first and the last of them. */
  readonly firstReadAt: number;
  readonly lastReadAt: number;
  /** When the hub took the first of them in. */
  readonly receivedAt: number;
  readonly commitStartedAt: number;
  readonly committedAt: number;
  readonly publishedAt: number;
}

/** Watches what a session takes in and stores, to count or to trace it. It changes nothing. */
export interface IngestObserver {
  onLine(line: ReceivedLine, decoded: Decoded, events: readonly TimelineEvent[]): void;
  onBatch(times: BatchTimes): void;
  /** The store refuses lines for good: the session was deleted, or its data is damaged. */
  onDropped(lines: number): void;
}

/** Watches all sessions of a hub. */
export interface SessionsObserver {
  /** The observer of a session that is loaded. */
  observe(session: string): IngestObserver;
  /** Variables for the agent of a run, such as the trace that it belongs to. */
  runEnvironment(run: string): Readonly<Record<string, string>>;
}
