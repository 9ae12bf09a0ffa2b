import { UNACKNOWLEDGED_LIMIT } from "@signalbox/api/constants";
import { countFrameBytes } from "./frame-bytes.ts";
import type { TextPiece } from "./text-piece.ts";

/** Sends a frame. It is passed as text, since many clients get the same one. */
export type SendFrame = (text: string) => void;
/** The number of bytes that were handed over for sending and have not left this process. */
export type UnsentBytes = () => number;

/**
 * Sends frames to one client and limits how many bytes it has not acknowledged. Nothing is queued: a client
 * over the limit is behind and catches up later. Clients acknowledge in UTF-16 units, which they can count
 * for free; the additional bytes of multibyte frames are tracked here.
 */
export class ClientChannel {
  readonly #send: SendFrame;
  readonly #unsentBytes: UnsentBytes;
  #sentUnits = 0;
  #receivedUnits = 0;
  /**
   * Frames with more bytes than units that are not acknowledged yet: where each ends, and how many bytes more
   * it has.
   */
  #multibyteFrames: { readonly end: number; readonly more: number }[] = [];
  #extraBytes = 0;
  #waiters: (() => void)[] = [];
  closed = false;
  /** The live text that the client was sent last. */
  lastText: TextPiece | undefined;

  constructor(send: SendFrame, unsentBytes: UnsentBytes = () => 0) {
    this.#send = send;
    this.#unsentBytes = unsentBytes;
  }

  /**
   * Whether this many more bytes may be sent. A frame over the limit is sent when nothing else waits. What is
   * still in this process's buffers counts as well, because a client may acknowledge what it has not read.
   */
  fits(bytes: number): boolean {
    const unacknowledged = this.#sentUnits - this.#receivedUnits + this.#extraBytes;
    const waiting = Math.max(unacknowledged, this.#unsentBytes());
    return waiting === 0 || waiting + bytes <= UNACKNOWLEDGED_LIMIT;
  }

  /** How many UTF-16 units were sent since the client connected. */
  get sentUnits(): number {
    return this.#sentUnits;
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

  /**
   * Records how much the client has received: never more than was sent, and never less than it said before.
   */
  acknowledge(receivedUnits: number): void {
    this.#receivedUnits = Math.max(this.#receivedUnits, Math.min(receivedUnits, this.#sentUnits));
    const left = this.#multibyteFrames.filter(({ end }) => end > this.#receivedUnits);
    if (left.length < this.#multibyteFrames.length) {
      this.#multibyteFrames = left;
      this.#extraBytes = left.reduce((sum, { more }) => sum + more, 0);
    }
    this.#wake();
  }

  /** Called when everything that was handed over has left this process. */
  onDrained(): void {
    this.#wake();
  }

  /** Settles when this many more bytes may be sent to the client, or when the client is gone. */
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
