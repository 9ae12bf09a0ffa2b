import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  type LogMarker,
  type LogMarkerType,
  type Line,
  formatLogMarker,
} from "@signalbox/protocol";
import type { LineSource } from "@signalbox/api/link";
import { readUndelivered, type UndeliveredSession } from "./read-undelivered.ts";
import { DiskBuffer } from "./disk-buffer.ts";
import { type BufferLimits, SessionBuffer, defaultLimits } from "./session-buffer.ts";

const RETRY_MS = 1000;

export type LogMarkerFields<T extends LogMarkerType> = Omit<LogMarker<T>, "type" | "subtype">;

/** Takes the lines of a run. */
export interface RunLog {
  add(from: LineSource, lines: readonly Line[]): void;
  addMarker<T extends LogMarkerType>(subtype: T, fields: LogMarkerFields<T>): void;
  /** Undefined if there is space. Otherwise reading from the agent has to wait for the promise. */
  waitForSpace(): Promise<void> | undefined;
}

/** Buffers all lines that the hub has not acknowledged, by session. */
export class LineBuffer {
  readonly #folder: string;
  readonly #limits: BufferLimits;
  readonly #sessions = new Map<string, SessionBuffer>();
  /** The sessions that have lines which were not sent. */
  readonly #unsent = new Set<SessionBuffer>();
  readonly #running = new Set<string>();
  #onDelivered: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Called when there are lines to send. `soon` is true unless they are only streamed text. */
  onLines: (soon: boolean) => void = () => {};

  constructor(dataFolder: string, limits: BufferLimits = defaultLimits) {
    this.#folder = join(dataFolder, "spill");
    this.#limits = limits;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Loads the lines that an earlier process had not delivered. */
  loadUndelivered(): readonly UndeliveredSession[] {
    const all = readUndelivered(this.#folder);
    for (const found of all) this.#addRecovered(found);
    return all;
  }

  #addRecovered(found: UndeliveredSession): SessionBuffer {
    const lines = SessionBuffer.fromDisk(this.#folder, found, this.#limits);
    this.#sessions.set(found.session, lines);
    this.#unsent.add(lines);
    return lines;
  }

  /** Loads the lines that an earlier runner had not delivered, and ends the runs that crashed with it. */
  recoverCrashedRuns(): void {
    for (const found of readUndelivered(this.#folder)) {
      const lines = this.#addRecovered(found);
      const log = this.#createRunLog(lines, found.run);
      if (found.cutBytes > 0) {
        const text = `${found.cutBytes} bytes of undelivered lines on the disk were damaged and are lost.`;
        log.addMarker("remark", { level: "warning", text });
      }
      if (!found.frames.at(-1)?.record.ends) {
        log.addMarker("run_ended", {
          run: found.run,
          status: "crashed",
          kind: "runner-crashed",
          sentence:
            "The runner of this agent ended unexpectedly, and the agent with it. Its output is kept. A new message starts the agent again.",
        });
      }
      lines.spill();
    }
  }

  /** Opens the log of a session for a run. Its lines are numbered after those that the hub has. */
  open(session: string, run: string, after: number): RunLog {
    let lines = this.#sessions.get(session);
    if (!lines) {
      lines = new SessionBuffer(
        new DiskBuffer(this.#folder, session),
        session,
        after,
        this.#limits,
      );
      this.#sessions.set(session, lines);
    }
    lines.skipTo(after);
    this.#running.add(session);
    return this.#createRunLog(lines, run);
  }

  #createRunLog(lines: SessionBuffer, run: string): RunLog {
    const onAdded = (soon: boolean) => {
      this.#unsent.add(lines);
      if (lines.isFull) this.#retryLater();
      this.onLines(soon);
    };
    return {
      add: (from, batch) => {
        const at = Date.now();
        for (const line of batch) lines.add(run, from, at, line);
        onAdded(!batch.every(isStreamedText));
      },
      addMarker: (subtype, fields) => {
        const line = formatLogMarker(
          subtype,
          fields as Parameters<typeof formatLogMarker<typeof subtype>>[1],
        );
        lines.add(run, "keeper", Date.now(), line, subtype === "run_ended");
        onAdded(true);
      },
      waitForSpace: () => lines.waitForSpace(),
    };
  }

  /** The runs with undelivered lines, for the frame `hello`. */
  get pendingRuns(): { session: string; run: string; next: number }[] {
    return [...this.#sessions.values()].flatMap(({ session, run, next }) =>
      run === undefined ? [] : { session, run, next },
    );
  }

  /** The number of the oldest undelivered line. */
  getFirst(session: string): number | undefined {
    return this.#sessions.get(session)?.first;
  }

  getNext(session: string): number | undefined {
    return this.#sessions.get(session)?.next;
  }

  /** Whether something can be sent now. */
  get hasUnsent(): boolean {
    return this.#unsent.size > 0;
  }

  /** Whether everything was sent and nothing waits for an acknowledgement before it can be sent. */
  get isSent(): boolean {
    return [...this.#sessions.values()].every((lines) => !lines.hasUnsent);
  }

  get isEmpty(): boolean {
    return [...this.#sessions.values()].every((lines) => lines.isEmpty);
  }

  /** Returns true if frames that waited for this acknowledgement can be sent now. */
  acknowledge(session: string, seq: number): boolean {
    const lines = this.#sessions.get(session);
    if (!lines) return false;
    lines.acknowledge(seq);
    if (lines.hasUnsent) this.#unsent.add(lines);
    this.#removeIfDone(lines);
    if (this.#onDelivered && this.isEmpty) this.#onDelivered();
    return lines.hasUnsentFrames;
  }

  /** Returns true if more pieces of a long line can be sent now. */
  acknowledgePieces(session: string, seq: number, pieces: number): boolean {
    const lines = this.#sessions.get(session);
    if (!lines) return false;
    lines.acknowledgePieces(seq, pieces);
    if (lines.hasUnsent) this.#unsent.add(lines);
    return lines.hasUnsentFrames;
  }

  /** The run of a session has ended. */
  closeRun(session: string): void {
    this.#running.delete(session);
    const lines = this.#sessions.get(session);
    if (lines) this.#removeIfDone(lines);
  }

  /** Removes a session that has no run and no undelivered lines. */
  #removeIfDone(lines: SessionBuffer): void {
    if (!lines.isEmpty || this.#running.has(lines.session)) return;
    lines.close();
    this.#sessions.delete(lines.session);
    this.#unsent.delete(lines);
  }

  /** Resolves when the hub has stored everything. */
  async waitUntilDelivered(): Promise<void> {
    if (this.isEmpty) return;
    await new Promise<void>((resolve) => (this.#onDelivered = resolve));
  }

  /** Prepares for a new connection, given the last line of each session that the hub has stored. */
  resendAfter(stored: Readonly<Record<string, number>>): void {
    for (const lines of this.#sessions.values()) {
      const known = Object.hasOwn(stored, lines.session) ? stored[lines.session] : 0;
      lines.resendAfter(known ?? 0);
      if (lines.hasUnsent) this.#unsent.add(lines);
      this.#removeIfDone(lines);
    }
  }

  /** The next frames, one per session, so that no session waits for another. */
  *frames(): Generator<string> {
    for (const lines of this.#unsent) {
      lines.seal();
      const text = lines.takeFrame();
      if (text === undefined) this.#unsent.delete(lines);
      else yield text;
    }
  }

  /** Writes everything to the disk, because the hub is unreachable or this process is stopping. */
  writeToDisk(): void {
    for (const lines of this.#sessions.values()) {
      if (!lines.spill()) this.#retryLater();
    }
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.writeToDisk();
    }, RETRY_MS).unref();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.writeToDisk();
    for (const lines of this.#sessions.values()) lines.close();
  }
}

/** Whether a line is streamed text, which is repeated later in a complete message. Nearly all lines are. */
function isStreamedText(line: Line): boolean {
  return typeof line === "string" && line.startsWith('{"type":"stream_event"');
}
