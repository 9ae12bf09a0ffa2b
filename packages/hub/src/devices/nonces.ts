import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { steadyNow } from "../clocks.ts";

/** How long a nonce is valid. After that, its holder asks the hub for a proof and a new nonce. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;
/**
 * How many clients of one device, such as tabs and terminals, are remembered. Each has a nonce of its own.
 */
const MAX_NONCES_PER_DEVICE = 256;
/** How far the requests of one client may arrive out of order. */
const WINDOW = 1024;

const TIME_BYTES = 6;
const RANDOM_BYTES = 12;
const MAC_BYTES = 16;

interface Used {
  /** Every count up to this one is used. */
  floor: number;
  readonly above: Set<number>;
}
interface DeviceNonces {
  readonly used: Map<string, Used>;
  /** Nonces that were issued before this time are stale, because some of them were forgotten. */
  forgottenBefore: number;
}

/**
 * The nonces with which devices sign their requests. A nonce is valid only for this process of the hub, and
 * each pair of nonce and count only once, so that a recorded request cannot be sent again. Issuing a nonce
 * costs no memory, because only devices that have proven themselves are remembered.
 */
export class Nonces {
  readonly #secret = randomBytes(32);
  readonly #now: () => number;
  readonly #devices = new Map<string, DeviceNonces>();

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  issue(): string {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(Math.floor(this.#now()), 0, TIME_BYTES);
    const open = Buffer.concat([time, randomBytes(RANDOM_BYTES)]);
    return Buffer.concat([open, this.#mac(open)]).toString("base64url");
  }

  /**
   * Uses up a count. `stale`: the nonce is of another process or too old. `used`: the count was used before.
   */
  use(device: string, nonce: string, count: number): "ok" | "stale" | "used" {
    const issuedAt = this.#issuedAt(nonce);
    const now = this.#now();
    if (issuedAt === undefined || now - issuedAt > LIFETIME_MS) return "stale";
    const nonces = this.#devices.get(device) ?? {
      used: new Map<string, Used>(),
      forgottenBefore: 0,
    };
    this.#devices.set(device, nonces);
    let used = nonces.used.get(nonce);
    if (!used) {
      if (issuedAt <= nonces.forgottenBefore) return "stale";
      used = { floor: 0, above: new Set() };
    }
    if (count < 1 || count <= used.floor || used.above.has(count)) return "used";
    if (count > used.floor + 2 * WINDOW) return "used";
    used.above.add(count);
    while (used.above.delete(used.floor + 1)) used.floor++;
    if (used.above.size > WINDOW) raiseFloor(used);
    // The newest use is last, so that the first is the one to forget.
    nonces.used.delete(nonce);
    nonces.used.set(nonce, used);
    this.#forgetOldest(nonces);
    return "ok";
  }

  forgetDevice(device: string): void {
    this.#devices.delete(device);
  }

  #forgetOldest(nonces: DeviceNonces): void {
    if (nonces.used.size <= MAX_NONCES_PER_DEVICE) return;
    const oldest = nonces.used.keys().next();
    if (oldest.done) return;
    nonces.used.delete(oldest.value);
    const issuedAt = this.#issuedAt(oldest.value) ?? 0;
    nonces.forgottenBefore = Math.max(nonces.forgottenBefore, issuedAt);
  }

  #issuedAt(nonce: string): number | undefined {
    const bytes = Buffer.from(nonce, "base64url");
    if (bytes.length !== TIME_BYTES + RANDOM_BYTES + MAC_BYTES) return undefined;
    const open = bytes.subarray(0, -MAC_BYTES);
    if (!timingSafeEqual(this.#mac(open), bytes.subarray(-MAC_BYTES))) return undefined;
    return open.readUIntBE(0, TIME_BYTES);
  }

  #mac(open: Uint8Array): Buffer {
    return createHmac("sha256", this.#secret).update(open).digest().subarray(0, MAC_BYTES);
  }
}

/** Gives up on counts that never arrived. */
function raiseFloor(used: Used): void {
  used.floor = Math.min(...used.above);
  while (used.above.delete(used.floor)) used.floor++;
  used.floor--;
}
