import { availableParallelism, loadavg } from "node:os";
import type { FrameToHubOfType } from "@signalbox/api/link";

const INTERVAL_MS = 30_000;
type LoadFrame = FrameToHubOfType<"load">;

/** Tells the hub how busy this machine is: at once when it is connected, and then every half minute. */
export class LoadReport {
  readonly #send: (frame: LoadFrame) => void;
  readonly #intervalMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(send: (frame: LoadFrame) => void, intervalMs = INTERVAL_MS) {
    this.#send = send;
    this.#intervalMs = intervalMs;
  }

  onConnected(): void {
    this.onDisconnected();
    this.#send(readLoad());
    this.#timer = setInterval(() => this.#send(readLoad()), this.#intervalMs);
    this.#timer.unref(); // it alone keeps no runner alive
  }

  onDisconnected(): void {
    clearInterval(this.#timer);
  }
}

function readLoad(): LoadFrame {
  const [lastMinute = 0] = loadavg();
  return { type: "load", average: lastMinute, cores: availableParallelism() };
}
