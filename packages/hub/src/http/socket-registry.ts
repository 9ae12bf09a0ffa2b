import { CLOSED_GOING_AWAY, CLOSED_MISSHAPEN, CLOSED_TOO_BIG } from "@signalbox/api";
import type { WebSocketHandler } from "bun";
import { closeSocket, type SocketHandler, type Socket } from "./socket-handler.ts";

/** Three of them are 33 s: by then a peer that is gone is known to be gone. */
export const HEARTBEAT_MS = 11_000;
/**
 * A frame of the link's: 512 Ki UTF-16 units, of at most three bytes each, and half a MiB of original
 * bytes in base64. Streams have their own, smaller limit.
 */
const MAX_FRAME_BYTES = 3 * 1024 * 1024;
/** The largest prompt with its images, on its way to a runner. Streams are cut much earlier. */
const MAX_BUFFERED_BYTES = 192 * 1024 * 1024;
/** What Bun says where a frame is larger than it may be; its code is then that of a broken line. */
const TOO_BIG_REASON = "Received too big message";

/** All open WebSockets, and their heartbeat. */
export class SocketRegistry {
  readonly #open = new Set<Socket>();
  readonly #beatMs: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #lastBeat = performance.now();

  readonly #largestFrame: number;

  /** `frameLimits`: what extensions need; Bun has one limit for all sockets. */
  constructor(beatMs: number = HEARTBEAT_MS, frameLimits: readonly (number | undefined)[] = []) {
    this.#beatMs = beatMs;
    this.#largestFrame = Math.max(MAX_FRAME_BYTES, ...frameLimits.map((limit) => limit ?? 0));
    this.#timer = setInterval(() => this.#beat(), beatMs);
    this.#timer.unref();
  }

  /** For `Bun.serve`. Every setting is said, since the defaults are not what one expects. */
  handler(): WebSocketHandler<SocketHandler> {
    return {
      // Compression would let the unknown make us inflate; the rest is loopback or under TLS.
      perMessageDeflate: false,
      maxPayloadLength: this.#largestFrame,
      backpressureLimit: MAX_BUFFERED_BYTES,
      // Bun drops what is over the limit; a stream with a hole is worse than none.
      closeOnBackpressureLimit: true,
      // Bun counts what we send as life. The heartbeat below counts answers.
      sendPings: false,
      idleTimeout: 960,
      open: (socket) => {
        this.#open.add(socket);
        socket.data.onOpen(socket);
      },
      message: (socket, message) => {
        if (typeof message === "string") socket.data.onMessage(message);
        else closeSocket(socket, CLOSED_MISSHAPEN, "Frames are text.");
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
    // After a pause of our own, such as a laptop's sleep, the answers are still in the pipe.
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
