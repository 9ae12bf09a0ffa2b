import { setTimeout as sleep } from "node:timers/promises";
import type { FrameToHubOfType } from "@signalbox/api/link";
import type { ShownTerminal } from "@signalbox/host";

/** Output that was sent and not acknowledged, in UTF-16 units. Beyond it, a snapshot replaces what was missed. */
export const UNACKNOWLEDGED_OUTPUT = 1024 * 1024;
/** After a snapshot, so many times as long as it took pass before the next, since nothing else runs meanwhile. */
const SNAPSHOT_PAUSE = 4;
/** Output within this time is sent together. */
const JOIN_MS = 4;

type TerminalFrame = FrameToHubOfType<"terminal-snapshot" | "terminal-output" | "terminal-size">;

/**
 * One terminal's output on its way to the hub: a snapshot, then what follows. A hub that does not keep up gets
 * nothing more until it has acknowledged, and then a snapshot of how things stand.
 */
export class TerminalStream {
  readonly #id: string;
  readonly #terminal: ShownTerminal;
  readonly #send: (frame: TerminalFrame) => void;
  #state: "starting" | "live" | "behind" | "ended" = "starting";
  #waiting: { at: number; text: string } | undefined;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #sentTo = 0;
  #acknowledged = 0;
  /** The length of a snapshot that was sent and not acknowledged. */
  #snapshotUnits = 0;
  #isSnapshotDue = false;
  #making: Promise<void> | undefined;

  constructor(id: string, terminal: ShownTerminal, send: (frame: TerminalFrame) => void) {
    this.#id = id;
    this.#terminal = terminal;
    this.#send = send;
    terminal.follow({
      onOutput: (at, text) => this.#onOutput(at, text),
      onSize: (size) => {
        this.#flush();
        if (this.#state === "live") send({ type: "terminal-size", terminal: id, ...size });
      },
      onReset: () => {
        this.#making = undefined; // that snapshot was of a screen that is gone, and may never be made
        this.requestSnapshot();
      },
    });
    this.requestSnapshot();
  }

  /** Sends the whole screen, and continues from there. */
  requestSnapshot(): void {
    this.#isSnapshotDue = true;
    if (this.#making) return;
    const making = this.#makeSnapshots().finally(() => {
      if (this.#making === making) this.#making = undefined;
    });
    this.#making = making;
  }

  /** One after the other, and one for all that were requested meanwhile. */
  async #makeSnapshots(): Promise<void> {
    while (this.#isSnapshotDue && this.#state !== "ended") {
      this.#isSnapshotDue = false;
      const startedAt = performance.now();
      await this.#sendSnapshot();
      await sleep(SNAPSHOT_PAUSE * (performance.now() - startedAt), undefined, { ref: false });
    }
  }

  async #sendSnapshot(): Promise<void> {
    const snapshot = await this.#terminal.snapshot();
    if (this.#hasEnded) return;
    this.#flush();
    this.#state = "live";
    this.#sentTo = snapshot.at;
    this.#acknowledged = snapshot.at;
    this.#snapshotUnits = snapshot.text.length;
    this.#send({ type: "terminal-snapshot", terminal: this.#id, ...snapshot });
  }

  /** The hub has taken in the stream up to this offset, and the snapshot that came before it. */
  acknowledge(at: number): void {
    this.#acknowledged = Math.min(this.#sentTo, Math.max(this.#acknowledged, at));
    this.#snapshotUnits = 0;
    if (this.#state !== "behind" || this.#unacknowledged > UNACKNOWLEDGED_OUTPUT / 2) return;
    this.#state = "starting";
    this.requestSnapshot();
  }

  end(): void {
    this.#flush();
    this.#state = "ended";
    this.#terminal.follow(undefined);
  }

  get #hasEnded(): boolean {
    return this.#state === "ended";
  }

  get #unacknowledged(): number {
    return this.#sentTo - this.#acknowledged + this.#snapshotUnits;
  }

  #onOutput(at: number, text: string): void {
    if (this.#state !== "live") return; // the snapshot will have it
    if (this.#waiting) this.#waiting.text += text;
    else this.#waiting = { at, text };
    this.#flushing ??= setTimeout(() => this.#flush(), JOIN_MS);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting || this.#state !== "live") return;
    const { at, text } = waiting;
    this.#sentTo = at + text.length;
    this.#send({
      type: "terminal-output",
      terminal: this.#id,
      epoch: this.#terminal.epoch,
      at,
      text,
    });
    if (this.#unacknowledged > UNACKNOWLEDGED_OUTPUT) this.#state = "behind";
  }
}
