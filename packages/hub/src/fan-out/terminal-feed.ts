import type { FrameToHubOfType } from "@signalbox/api/link";
import type { HubFrame } from "@signalbox/api";
import type { ClientChannel } from "./client-channel.ts";
import { countFrameBytes } from "./frame-bytes.ts";

/** Has the runner send a snapshot and, from then on, the output; or nothing more. */
interface TerminalSource {
  /** False: the runner could not be told. */
  watch(): boolean;
  leave(): void;
}

type ViewerState = "awaiting-snapshot" | "live" | "awaiting-room";

/**
 * One terminal on its way to everybody who looks at it. A viewer that does not keep up is sent nothing more
 * until there is room, and then a snapshot; the others do not notice.
 */
export class TerminalFeed {
  readonly #id: string;
  readonly #source: TerminalSource;
  readonly #viewers = new Map<ClientChannel, ViewerState>();
  /** A snapshot is on its way. It is for all that wait by then, because each costs the runner much. */
  #isRequested = false;

  constructor(id: string, source: TerminalSource) {
    this.#id = id;
    this.#source = source;
  }

  get isWatched(): boolean {
    return this.#viewers.size > 0;
  }

  add(viewer: ClientChannel): void {
    if (this.#viewers.get(viewer) === "awaiting-room") return; // it is asked for once there is room
    this.#viewers.set(viewer, "awaiting-snapshot");
    this.#requestSnapshot();
  }

  #requestSnapshot(): void {
    if (!this.#isRequested) this.#isRequested = this.#source.watch();
  }

  remove(viewer: ClientChannel): void {
    if (!this.#viewers.delete(viewer) || this.#viewers.size > 0) return;
    this.#isRequested = false;
    this.#source.leave();
  }

  /** The runner is connected again, and knows of no viewers. */
  resume(): void {
    if (this.#viewers.size === 0) return;
    for (const viewer of this.#viewers.keys()) this.#viewers.set(viewer, "awaiting-snapshot");
    this.#isRequested = false;
    this.#requestSnapshot();
  }

  onSnapshot(frame: FrameToHubOfType<"terminal-snapshot">): void {
    this.#isRequested = false;
    this.#sendTo("awaiting-snapshot", frame);
  }

  onOutput(frame: FrameToHubOfType<"terminal-output" | "terminal-size">): void {
    this.#sendTo("live", frame);
  }

  /** The terminal is closed. */
  end(): void {
    const text = JSON.stringify({ type: "terminal-gone", terminal: this.#id } satisfies HubFrame);
    for (const viewer of this.#viewers.keys()) viewer.send(text);
    this.#viewers.clear();
  }

  #sendTo(wanted: ViewerState, frame: HubFrame): void {
    let text: string | undefined;
    let bytes = 0;
    for (const [viewer, state] of this.#viewers) {
      if (state !== wanted) continue;
      if (text === undefined) {
        text = JSON.stringify(frame);
        bytes = countFrameBytes(text);
      }
      if (viewer.fits(bytes)) {
        this.#viewers.set(viewer, "live");
        viewer.send(text);
      } else {
        void this.#resumeWhenRoom(viewer, bytes);
      }
    }
  }

  async #resumeWhenRoom(viewer: ClientChannel, bytes: number): Promise<void> {
    this.#viewers.set(viewer, "awaiting-room");
    await viewer.waitForRoom(bytes);
    if (viewer.closed || this.#viewers.get(viewer) !== "awaiting-room") return;
    this.#viewers.set(viewer, "awaiting-snapshot");
    this.#requestSnapshot();
  }
}
