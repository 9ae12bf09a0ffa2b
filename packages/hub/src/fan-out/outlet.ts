import { UNACKNOWLEDGED_LIMIT } from "@signalbox/protocol";
import type { SendFrame } from "../engine.ts";

/** One client's wire. It is not queued for: whoever has too much unacknowledged is behind. */
export class Outlet {
  readonly #send: SendFrame;
  #sent = 0;
  #received = 0;
  #waiting: (() => void)[] = [];
  closed = false;

  constructor(send: SendFrame) {
    this.#send = send;
  }

  /** Whether so much more may be sent. What is larger than the limit goes when nothing else waits. */
  fits(length: number): boolean {
    const waiting = this.#sent - this.#received;
    return waiting === 0 || waiting + length <= UNACKNOWLEDGED_LIMIT;
  }

  send(text: string): void {
    if (this.closed) return;
    this.#sent += text.length;
    this.#send(text);
  }

  /** A client cannot have applied more than it was sent, or less than it said before. */
  acknowledge(received: number): void {
    this.#received = Math.max(this.#received, Math.min(received, this.#sent));
    this.#wake();
  }

  /** Settles when the client has caught its breath for so much more, or is gone. */
  async room(length: number): Promise<void> {
    while (!this.fits(length) && !this.closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  close(): void {
    this.closed = true;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
