/**
 * How long a connection may be idle before its first request. Also how long the head of a request may take
 * from its first byte to its last.
 */
export const IDLE_TIMEOUT_SECONDS = 10;
/** How long a connection may be idle after its last request was answered. */
export const KEEP_ALIVE_SECONDS = 20;

/** The header that marks an answer to a request with a valid credential, for `ConnectionForwarder`. */
export const AUTHENTICATED_HEADER = "signalbox-authenticated";

const HEAD_END = "\r\n\r\n";
const UPGRADED = Buffer.from("HTTP/1.1 101");

/**
 * Determines from the bytes that pass how long a connection has been idle; it never changes them. A
 * connection whose request waits for an answer may be silent for as long as the hub takes, and a WebSocket
 * has its own heartbeat.
 */
export class IdleTimeout {
  #since: number;
  #state: "begins" | "arrives" | "asked" | "answered" | "upgraded" = "begins";
  /** The client's last bytes, because the end of a head may arrive in two pieces. */
  #tail = "";
  #isAuthenticated = false;

  constructor(now: number) {
    this.#since = now;
  }

  /** Whether an answer on this connection was for an authenticated caller. */
  get isAuthenticated(): boolean {
    return this.#isAuthenticated;
  }

  onClientBytes(piece: Buffer, now: number): void {
    if (this.#state === "upgraded" || this.#state === "asked") return;
    const seam = this.#tail + piece.toString("latin1", 0, HEAD_END.length - 1);
    this.#tail = (this.#tail + piece.toString("latin1", Math.max(0, piece.length - 3))).slice(-3);
    if (piece.includes(HEAD_END) || seam.includes(HEAD_END)) this.#state = "asked";
    else if (this.#state !== "arrives") {
      // The time does not restart with each byte, because a client that sends a byte every few seconds would
      // keep the connection open forever.
      this.#state = "arrives";
      this.#since = now;
    }
  }

  onHubBytes(piece: Buffer, now: number): void {
    this.#since = now;
    if (this.#state === "upgraded") return;
    if (this.#state === "asked") this.#isAuthenticated ||= isMarkedAuthenticated(piece);
    const upgrades = piece.subarray(0, UPGRADED.length).equals(UPGRADED);
    this.#isAuthenticated ||= upgrades; // an upgrade requires a ticket or a credential
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

  /** Restarts the count after this process was suspended. */
  restart(now: number): void {
    this.#since = now;
  }
}

/** Whether the head of an answer has the mark. The body is not searched, because it may hold anything. */
function isMarkedAuthenticated(piece: Buffer): boolean {
  const end = piece.indexOf(HEAD_END);
  const head = piece.toString("latin1", 0, end < 0 ? Math.min(piece.length, 8192) : end);
  return head.toLowerCase().includes(`\r\n${AUTHENTICATED_HEADER}:`);
}
