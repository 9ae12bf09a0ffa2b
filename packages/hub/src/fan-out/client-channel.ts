import { UNACKNOWLEDGED_LIMIT } from "@signalbox/api";
import { countFrameBytes } from "./frame-bytes.ts";

/** Puts a frame on the wire. It is a text, since many clients get the same. */
export type SendFrame = (text: string) => void;
/** How many bytes of what was handed over have not left this process. */
export type UnsentBytes = () => number;

/**
 * One client's wire. It is not queued for: whoever has too many bytes unacknowledged is behind. Clients
 * count UTF-16 units, which cost them nothing; what a frame has of bytes beyond them is known here.
 */
export class ClientChannel {
  readonly #send: SendFrame;
  readonly #unsentBytes: UnsentBytes;
  #sentUnits = 0;
  #receivedUnits = 0;
  /** Frames with more bytes than units that are not acknowledged: where each ends, and how many more. */
  #multibyteFrames: { readonly end: number; readonly more: number }[] = [];
  #extraBytes = 0;
  #waiters: (() => void)[] = [];
  closed = false;

  constructor(send: SendFrame, unsentBytes: UnsentBytes = () => 0) {
    this.#send = send;
    this.#unsentBytes = unsentBytes;
  }

  /**
   * Whether so many more bytes may be sent. What is larger than the limit goes when nothing else waits. A
   * client may acknowledge what it has not read: what is still in our own memory counts in any case.
   */
  fits(bytes: number): boolean {
    const unacknowledged = this.#sentUnits - this.#receivedUnits + this.#extraBytes;
    const waiting = Math.max(unacknowledged, this.#unsentBytes());
    return waiting === 0 || waiting + bytes <= UNACKNOWLEDGED_LIMIT;
  }

  send(text: string): void {
    if (this.closed) return;
    this.#sentUnits += text.length;
    const more = countFrameBytes(text) - text.length;
    if (more > 0) {
      this.#multibyteFrames.push({ end: this.#sentUnits, more });
      this.#extraBytes += more;
    }
    this.#send(text);
  }

  /** A client cannot have applied more than it was sent, or less than it said before. */
  acknowledge(receivedUnits: number): void {
    this.#receivedUnits = Math.max(this.#receivedUnits, Math.min(receivedUnits, this.#sentUnits));
    const left = this.#multibyteFrames.filter(({ end }) => end > this.#receivedUnits);
    if (left.length < this.#multibyteFrames.length) {
      this.#multibyteFrames = left;
      this.#extraBytes = left.reduce((sum, { more }) => sum + more, 0);
    }
    this.#wake();
  }

  /** What was handed over has left this process. */
  drained(): void {
    this.#wake();
  }

  /** Settles when so many more bytes may be sent to the client, or when it is gone. */
  async waitForRoom(bytes: number): Promise<void> {
    while (!this.fits(bytes) && !this.closed) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  close(): void {
    this.closed = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
