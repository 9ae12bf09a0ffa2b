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

  get behind(): boolean {
    return this.#sent - this.#received > UNACKNOWLEDGED_LIMIT;
  }

  send(text: string): void {
    if (this.closed) return;
    this.#sent += text.length;
    this.#send(text);
  }

  /** A client cannot have applied more than it was sent, or less than it said before. */
  acknowledge(received: number): void {
    this.#received = Math.max(this.#received, Math.min(received, this.#sent));
    if (!this.behind) this.#wake();
  }

  /** Settles when the client has caught its breath, or is gone. */
  async room(): Promise<void> {
    while (this.behind && !this.closed) {
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
