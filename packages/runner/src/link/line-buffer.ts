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

/** Where a run's lines go. */
export interface RunLog {
  add(from: LineSource, lines: readonly Line[]): void;
  addMarker<T extends LogMarkerType>(subtype: T, fields: LogMarkerFields<T>): void;
  /** Undefined: there is room. Else whoever reads from the agent waits for it. */
  waitForSpace(): Promise<void> | undefined;
}

/** All that the hub has not acknowledged, by session. */
export class LineBuffer {
  readonly #folder: string;
  readonly #limits: BufferLimits;
  readonly #sessions = new Map<string, SessionBuffer>();
  /** Those with lines that are not on their way. */
  readonly #unsent = new Set<SessionBuffer>();
  readonly #running = new Set<string>();
  #onDelivered: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Told when there is something to send. `soon`: more than text that is being written. */
  onLines: (soon: boolean) => void = () => {};

  constructor(dataFolder: string, limits: BufferLimits = defaultLimits) {
    this.#folder = join(dataFolder, "spill");
    this.#limits = limits;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Finds what a process that is gone had not delivered. */
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

  /** Finds what a runner that is gone had not delivered, and closes the runs that died with it. */
  recoverCrashedRuns(): void {
    for (const found of readUndelivered(this.#folder)) {
      const lines = this.#addRecovered(found);
      const log = this.#createRunLog(lines, found.run);
      if (found.cutBytes > 0) {
        const text = `${found.cutBytes} bytes of lines that waited on the disk were torn, and are lost.`;
        log.addMarker("remark", { level: "warning", text });
      }
      if (!found.frames.at(-1)?.record.ends) {
        log.addMarker("run_ended", {
          run: found.run,
          status: "crashed",
          kind: "runner-crashed",
          sentence:
            "The program that ran this agent ended unexpectedly, and the agent with it. What it had said is kept; a new message starts it again.",
        });
      }
      lines.spill();
    }
  }

  /** Opens a session's log for a run; its lines are numbered after those that the hub has. */
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
    const grown = (soon: boolean) => {
      this.#unsent.add(lines);
      if (lines.isFull) this.#retryLater();
      this.onLines(soon);
    };
    return {
      add: (from, batch) => {
        const at = Date.now();
        for (const line of batch) lines.add(run, from, at, line);
        grown(!batch.every(isStreamedText));
      },
      addMarker: (subtype, fields) => {
        const line = formatLogMarker(
          subtype,
          fields as Parameters<typeof formatLogMarker<typeof subtype>>[1],
        );
        lines.add(run, "keeper", Date.now(), line, subtype === "run_ended");
        grown(true);
      },
      waitForSpace: () => lines.waitForSpace(),
    };
  }

  /** For `hello`: sessions with lines that wait. */
  get pendingRuns(): { session: string; run: string; next: number }[] {
    return [...this.#sessions.values()].flatMap(({ session, run, next }) =>
      run === undefined ? [] : { session, run, next },
    );
  }

  /** The number of the oldest line that waits. */
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

  /** Whether everything is on its way, and nothing is held back until the hub has stored some. */
  get isSent(): boolean {
    return [...this.#sessions.values()].every((lines) => !lines.hasUnsent);
  }

  get isEmpty(): boolean {
    return [...this.#sessions.values()].every((lines) => lines.isEmpty);
  }

  /** True: now more can be sent, which was held back until the hub had stored some. */
  acknowledge(session: string, seq: number): boolean {
    const lines = this.#sessions.get(session);
    if (!lines) return false;
    lines.acknowledge(seq);
    if (lines.hasUnsent) this.#unsent.add(lines);
    this.#removeIfDone(lines);
    if (this.#onDelivered && this.isEmpty) this.#onDelivered();
    return lines.hasHeldBack;
  }

  /** True: now more can be sent of a long line. */
  acknowledgePieces(session: string, seq: number, pieces: number): boolean {
    const lines = this.#sessions.get(session);
    if (!lines) return false;
    lines.acknowledgePieces(seq, pieces);
    if (lines.hasUnsent) this.#unsent.add(lines);
    return lines.hasHeldBack;
  }

  /** A session's run is over. */
  closeRun(session: string): void {
    this.#running.delete(session);
    const lines = this.#sessions.get(session);
    if (lines) this.#removeIfDone(lines);
  }

  /** A session without a run whose lines are all stored needs no memory. */
  #removeIfDone(lines: SessionBuffer): void {
    if (!lines.isEmpty || this.#running.has(lines.session)) return;
    lines.close();
    this.#sessions.delete(lines.session);
    this.#unsent.delete(lines);
  }

  /** Settles when the hub has stored everything. */
  async waitUntilDelivered(): Promise<void> {
    if (this.isEmpty) return;
    await new Promise<void>((resolve) => (this.#onDelivered = resolve));
  }

  /** A new connection, and what the hub has by now. */
  resendAfter(stored: Readonly<Record<string, number>>): void {
    for (const lines of this.#sessions.values()) {
      const known = Object.hasOwn(stored, lines.session) ? stored[lines.session] : 0;
      lines.resendAfter(known ?? 0);
      if (lines.hasUnsent) this.#unsent.add(lines);
      this.#removeIfDone(lines);
    }
  }

  /** The next frames, one of each session that has some, so that none waits for another. */
  *frames(): Generator<string> {
    for (const lines of this.#unsent) {
      lines.seal();
      const text = lines.takeFrame();
      if (text === undefined) this.#unsent.delete(lines);
      else yield text;
    }
  }

  /** Brings everything to the disk: the hub is away, or this process ends. */
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

/** Nearly all lines are: words of a message that comes whole afterwards. */
export function isStreamedText(line: Line): boolean {
  return typeof line === "string" && line.startsWith('{"type":"stream_event"');
}
