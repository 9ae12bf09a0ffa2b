/** In seconds: how long a connection that has not asked for anything may do nothing. */
export const IDLE_TIMEOUT_SECONDS = 10;
/** In seconds: so long nothing may pass on a connection whose last call was answered. */
export const KEEP_ALIVE_SECONDS = 20;

const HEAD_END = "\r\n\r\n";
const UPGRADED = Buffer.from("HTTP/1.1 101");

/**
 * How long a connection has done nothing, seen by the bytes that pass: it is read along, never changed.
 * One on which a request waits for its answer may be silent for as long as the hub takes, and one that
 * has become a WebSocket has a heartbeat of its own.
 */
export class IdleTimeout {
  #since: number;
  #state: "begins" | "asked" | "answered" | "upgraded" = "begins";
  /** The last bytes of the client, in case that the end of a head comes in two pieces. */
  #tail = "";

  constructor(now: number) {
    this.#since = now;
  }

  onClientBytes(piece: Buffer, now: number): void {
    this.#since = now;
    if (this.#state === "upgraded" || this.#state === "asked") return;
    const seam = this.#tail + piece.toString("latin1", 0, HEAD_END.length - 1);
    this.#tail = (this.#tail + piece.toString("latin1", Math.max(0, piece.length - 3))).slice(-3);
    if (piece.includes(HEAD_END) || seam.includes(HEAD_END)) this.#state = "asked";
    else this.#state = "begins";
  }

  onHubBytes(piece: Buffer, now: number): void {
    this.#since = now;
    if (this.#state === "upgraded") return;
    const upgrades = piece.subarray(0, UPGRADED.length).equals(UPGRADED);
    this.#state = upgrades ? "upgraded" : "answered";
    this.#tail = "";
  }

  isTimedOut(now: number): boolean {
    if (this.#state === "asked" || this.#state === "upgraded") return false;
    return (
      now - this.#since >
      (this.#state === "answered" ? KEEP_ALIVE_SECONDS : IDLE_TIMEOUT_SECONDS) * 1000
    );
  }

  /** After a pause of the hub's own the silence was ours. */
  restart(now: number): void {
    this.#since = now;
  }
}
