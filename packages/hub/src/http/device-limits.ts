import { steadyNow } from "../steady-clock.ts";
import { Refusal } from "../engine.ts";

/** How much one device may hold and ask for. Honest use stays far below. */
export interface DeviceLimitValues {
  /** Live streams at a time: every tab and every attached terminal has one. */
  readonly streams: number;
  /** Requests a second, over a longer time. */
  readonly requestsPerSecond: number;
  /** Requests that may come at once after a pause. */
  readonly requestBurst: number;
  /** Bytes of bodies that are being read or dealt with at a time. */
  readonly bodyBytes: number;
}

export const defaultDeviceLimits: DeviceLimitValues = {
  streams: 64,
  requestsPerSecond: 500,
  requestBurst: 5000,
  bodyBytes: 256 * 1024 * 1024,
};

interface Usage {
  streams: number;
  bodyBytes: number;
  /** Requests that may still come at once, as of `at`. */
  tokens: number;
  at: number;
}

/** Counts what each device holds, and refuses what is too much with 429. */
export class DeviceLimits {
  readonly #values: DeviceLimitValues;
  readonly #now: () => number;
  readonly #usages = new Map<string, Usage>();

  constructor(values: Partial<DeviceLimitValues> = {}, now: () => number = steadyNow) {
    this.#values = { ...defaultDeviceLimits, ...values };
    this.#now = now;
  }

  /** One more request of this device. */
  countRequest(device: string): void {
    const usage = this.#usage(device);
    const { requestsPerSecond, requestBurst } = this.#values;
    const now = this.#now();
    const refilled = usage.tokens + (Math.max(0, now - usage.at) / 1000) * requestsPerSecond;
    usage.at = now;
    usage.tokens = Math.min(requestBurst, refilled);
    if (usage.tokens < 1) {
      throw new Refusal(
        429,
        "too-many-requests",
        `This device sends more than ${requestsPerSecond} requests a second. Wait a second, then continue more slowly.`,
      );
    }
    usage.tokens -= 1;
  }

  requireFreeStream(device: string): void {
    const { streams } = this.#values;
    if ((this.#usages.get(device)?.streams ?? 0) < streams) return;
    throw new Refusal(
      429,
      "too-many-streams",
      `This device already has ${streams} live connections. Close a tab or an attached terminal first.`,
    );
  }

  addStream(device: string): void {
    this.#usage(device).streams += 1;
  }

  removeStream(device: string): void {
    const usage = this.#usage(device);
    usage.streams = Math.max(0, usage.streams - 1);
  }

  /** Counts bytes of bodies until it is disposed of. */
  countBody(device: string): BodyCount {
    const usage = this.#usage(device);
    const { bodyBytes } = this.#values;
    let held = 0;
    return {
      add(bytes) {
        if (usage.bodyBytes + bytes > bodyBytes) {
          throw new Refusal(
            429,
            "too-much-at-once",
            `The current requests of this device have bodies of more than ${bodyBytes} bytes. Try again when the others have finished.`,
          );
        }
        usage.bodyBytes += bytes;
        held += bytes;
      },
      [Symbol.dispose]() {
        usage.bodyBytes -= held;
        held = 0;
      },
    };
  }

  /** The device was taken away. */
  forget(device: string): void {
    const usage = this.#usages.get(device);
    if (usage && usage.streams === 0 && usage.bodyBytes === 0) this.#usages.delete(device);
  }

  #usage(device: string): Usage {
    let usage = this.#usages.get(device);
    if (!usage) {
      usage = { streams: 0, bodyBytes: 0, tokens: this.#values.requestBurst, at: this.#now() };
      this.#usages.set(device, usage);
    }
    return usage;
  }
}

export interface BodyCount extends Disposable {
  /** Refused with 429 when the device holds too many. */
  add(bytes: number): void;
}
