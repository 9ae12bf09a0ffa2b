import { steadyNow } from "../clocks.ts";
import { HubRefusal } from "../engine.ts";

/** How much one device may hold and request. Normal use stays far below. */
export interface DeviceLimitValues {
  /** How many live streams may be open at a time. Every tab and every attached terminal has one. */
  readonly streams: number;
  /** How many requests a second are allowed over a longer time. */
  readonly requestsPerSecond: number;
  /** How many requests may arrive at once after a pause. */
  readonly requestBurst: number;
  /** How many bytes of bodies may be read or processed at a time. */
  readonly bodyBytes: number;
}

const defaultDeviceLimits: DeviceLimitValues = {
  streams: 64,
  requestsPerSecond: 500,
  requestBurst: 5000,
  bodyBytes: 256 * 1024 * 1024,
};

interface DeviceUsage {
  streams: number;
  bodyBytes: number;
  /** How many requests may still arrive at once, as of `at`. */
  tokens: number;
  at: number;
}

/** Counts what each device uses, and refuses what exceeds its limits with 429. */
export class DeviceLimits {
  readonly #values: DeviceLimitValues;
  readonly #now: () => number;
  readonly #usages = new Map<string, DeviceUsage>();

  constructor(values: Partial<DeviceLimitValues> = {}, now: () => number = steadyNow) {
    this.#values = { ...defaultDeviceLimits, ...values };
    this.#now = now;
  }

  /** Counts a request of this device. */
  countRequest(device: string): void {
    const usage = this.#usage(device);
    const { requestsPerSecond, requestBurst } = this.#values;
    const now = this.#now();
    const refilled = usage.tokens + (Math.max(0, now - usage.at) / 1000) * requestsPerSecond;
    usage.at = now;
    usage.tokens = Math.min(requestBurst, refilled);
    if (usage.tokens < 1) {
      throw new HubRefusal(
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
    throw new HubRefusal(
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

  /** Counts bytes of a body until the count is disposed of. */
  countBody(device: string): BodyCount {
    const usage = this.#usage(device);
    const { bodyBytes } = this.#values;
    let usedSlots = 0;
    return {
      add(bytes) {
        if (usage.bodyBytes + bytes > bodyBytes) {
          throw new HubRefusal(
            429,
            "too-much-at-once",
            `The current requests of this device have bodies of more than ${bodyBytes} bytes. Try again when the others have finished.`,
          );
        }
        usage.bodyBytes += bytes;
        usedSlots += bytes;
      },
      [Symbol.dispose]() {
        usage.bodyBytes -= usedSlots;
        usedSlots = 0;
      },
    };
  }

  /** Forgets a device that was revoked. */
  forget(device: string): void {
    const usage = this.#usages.get(device);
    if (usage && usage.streams === 0 && usage.bodyBytes === 0) this.#usages.delete(device);
  }

  #usage(device: string): DeviceUsage {
    let usage = this.#usages.get(device);
    if (!usage) {
      usage = { streams: 0, bodyBytes: 0, tokens: this.#values.requestBurst, at: this.#now() };
      this.#usages.set(device, usage);
    }
    return usage;
  }
}

interface BodyCount extends Disposable {
  /** Adds bytes. Refuses with 429 when the device has too many. */
  add(bytes: number): void;
}
