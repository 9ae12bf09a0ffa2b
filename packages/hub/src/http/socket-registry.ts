import { CLOSED_GOING_AWAY, CLOSED_MALFORMED, CLOSED_TOO_BIG } from "@signalbox/api/constants";
import type { WebSocketHandler } from "bun";
import { closeSocket, type SocketHandler, type Socket } from "./socket-handler.ts";

/** The interval of heartbeats. A peer that has not answered three of them (33 s) is considered gone. */
const HEARTBEAT_MS = 11_000;
/**
 * The largest frame of the link: 512 Ki UTF-16 units of at most three bytes each, and half a MiB of original
 * bytes in base64. Streams have their own, smaller limit.
 */
const MAX_FRAME_BYTES = 3 * 1024 * 1024;
/**
 * The limit for unsent bytes: the largest prompt with its images on its way to a runner. Streams are closed
 * much earlier.
 */
const MAX_BUFFERED_BYTES = 192 * 1024 * 1024;
/**
 * The reason that Bun gives when a frame is too large. Its close code is then that of a broken connection.
 */
const TOO_BIG_REASON = "Received too big message";

/** All open WebSockets, and their heartbeat. */
export class SocketRegistry {
  readonly #open = new Set<Socket>();
  readonly #beatMs: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #lastBeat = performance.now();

  readonly #largestFrame: number;

  /** `frameLimits` are the limits that extensions need. Bun has one limit for all sockets. */
  constructor(beatMs: number = HEARTBEAT_MS, frameLimits: readonly (number | undefined)[] = []) {
    this.#beatMs = beatMs;
    this.#largestFrame = Math.max(MAX_FRAME_BYTES, ...frameLimits.map((limit) => limit ?? 0));
    this.#timer = setInterval(() => this.#beat(), beatMs);
    this.#timer.unref();
  }

  /** The handler for `Bun.serve`. Every setting is given, because the defaults are surprising. */
  handler(): WebSocketHandler<SocketHandler> {
    return {
      // Compression would let strangers make the hub inflate large frames, and saves little on loopback.
      perMessageDeflate: false,
      maxPayloadLength: this.#largestFrame,
      backpressureLimit: MAX_BUFFERED_BYTES,
      // Bun drops frames that exceed the limit, and a stream with a gap is worse than a closed one.
      closeOnBackpressureLimit: true,
      // Bun counts what the hub sends as a sign of life. The heartbeat below counts the peer's answers.
      sendPings: false,
      idleTimeout: 960,
      open: (socket) => {
        this.#open.add(socket);
        socket.data.onOpen(socket);
      },
      message: (socket, message) => {
        if (typeof message === "string") socket.data.onMessage(message);
        else closeSocket(socket, CLOSED_MALFORMED, "Frames are text.");
      },
      drain: (socket) => socket.data.onDrain?.(),
      pong: (socket) => void (socket.data.unansweredPings = 0),
      close: (socket, code, reason) => {
        this.#open.delete(socket);
        socket.data.onClose(reason === TOO_BIG_REASON ? CLOSED_TOO_BIG : code);
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const socket of this.#open) closeSocket(socket, CLOSED_GOING_AWAY, "The hub is stopping.");
  }

  #beat(): void {
    const now = performance.now();
    // After a pause of this process, such as a laptop's sleep, the answers have not been read yet.
    const slept = now - this.#lastBeat > 2 * this.#beatMs;
    this.#lastBeat = now;
    for (const socket of this.#open) {
      if (slept) socket.data.unansweredPings = 0;
      if (socket.data.unansweredPings >= 2) {
        socket.terminate();
        continue;
      }
      socket.data.unansweredPings++;
      socket.ping();
      socket.data.onHeartbeat();
    }
  }
}
