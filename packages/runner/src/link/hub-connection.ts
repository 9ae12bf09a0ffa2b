import { createHash } from "node:crypto";
import { authorizationHeader, linkProofText, requestText } from "@signalbox/api/proof";
import { parseObject } from "@signalbox/protocol";
import { type BunSocket, openBunSocket } from "../bun-socket.ts";
import {
  formatFrame,
  LINK_PATH,
  LINK_PROTOCOL,
  LINK_VERSION,
  type Order,
  parseFrame,
  type FrameToHub,
  type FrameToHubOfType,
  type FrameToRunner,
  frameToRunner,
} from "@signalbox/api/link";
import { type DeviceSigningKey, verifySignature } from "./keys.ts";
import { SilenceMonitor } from "./silence-monitor.ts";
import type { VerifiedHub } from "./locate-hub.ts";
import type { FolderFrameToRunner } from "./folder-frames.ts";
import type { TerminalFrameToRunner } from "./terminal-frames.ts";

/** The most bytes to put into the socket's own buffer. */
const BUFFERED = 4 * 1024 * 1024;

export interface HubConnectionOptions {
  readonly hub: VerifiedHub;
  readonly key: DeviceSigningKey;
  readonly hello: Omit<FrameToHubOfType<"hello">, "type" | "version">;
  readonly tickMs?: number;
  readonly onWelcome: (stored: Readonly<Record<string, number>>) => void;
  readonly onAck: (session: string, seq: number) => void;
  readonly onPiecesTaken: (session: string, seq: number, pieces: number) => void;
  readonly onOrder: (id: string, order: Order) => void;
  readonly onApprovers: (keys: Extract<FrameToRunner, { type: "approvers" }>["keys"]) => void;
  readonly onTerminalFrame: (frame: TerminalFrameToRunner) => void;
  readonly onFolderFrame: (frame: FolderFrameToRunner) => void;
  /** Called once with the reason. No other callback of this connection is called afterwards. */
  readonly onEnd: (why: string) => void;
}

/** One connection to the hub, from dialing to its end. */
export class HubConnection {
  readonly #options: HubConnectionOptions;
  readonly #socket: BunSocket;
  readonly #liveness: SilenceMonitor;
  readonly #authorization: string;
  #refused: string | undefined;
  #isProven = false;
  #over = false;

  constructor(options: HubConnectionOptions) {
    this.#options = options;
    const url = new URL(LINK_PATH, options.hub.url);
    url.protocol = url.protocol.replace("http", "ws");
    this.#authorization = createLinkAuthorization(options.key, options.hub.nonce);
    const socket = openBunSocket(url.href, {
      headers: { Authorization: this.#authorization },
      protocols: [LINK_PROTOCOL],
    });
    this.#socket = socket;
    this.#liveness = new SilenceMonitor(
      {
        quiet: () => {
          if (socket.readyState === WebSocket.OPEN) socket.ping();
        },
        dead: () => {
          this.#end("The hub is not responding.");
          socket.terminate();
        },
      },
      options.tickMs,
    );
    const onActivity = () => this.#liveness.onActivity();
    socket.addEventListener("open", onActivity); // the hub verifies itself first
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      onActivity();
      if (typeof data === "string" && !this.#over) this.#receive(data);
    });
    socket.addEventListener("ping", onActivity);
    socket.addEventListener("pong", onActivity);
    socket.addEventListener("close", ({ code, reason }) => {
      const why = this.#refused ?? reason;
      this.#end(why || `Couldn't reach the hub, or it closed the connection (${code}).`);
    });
    socket.addEventListener("error", () => {}); // the event `close` follows
  }

  send(frame: FrameToHub, lines?: readonly string[]): void {
    this.#socket.send(formatFrame(frame, lines));
  }

  /** Sends pending frames. Returns false if the socket is full and there are more. */
  sendPending(buffer: { frames(): Iterable<string>; readonly hasUnsent: boolean }): boolean {
    while (buffer.hasUnsent) {
      if (this.#isFull) return false;
      for (const text of buffer.frames()) {
        this.#socket.send(text);
        if (this.#isFull) break;
      }
    }
    return true;
  }

  /** Checks whether the hub is still there. */
  probe(): void {
    this.#liveness.expectAnswer();
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  get #isFull(): boolean {
    return this.#socket.bufferedAmount > BUFFERED;
  }

  /** Closes the connection. Frames that were sent are still delivered. */
  close(): void {
    if (this.#socket.readyState === WebSocket.OPEN)
      this.#socket.close(1000, "The runner is stopping.");
    else this.#socket.terminate();
    this.#end("The runner is stopping.");
  }

  #receive(text: string): void {
    const frame = parseFrame(frameToRunner, text)?.frame;
    if (!frame) {
      const id = readOrderId(text);
      if (id !== undefined) this.#rejectOrder(id);
      return;
    }
    if (!this.#isProven) {
      this.#verifyHub(frame);
      return;
    }
    switch (frame.type) {
      case "hub":
        break; // sent once
      case "approvers":
        this.#options.onApprovers(frame.keys);
        break;
      case "welcome":
        this.#options.onWelcome(frame.stored);
        break;
      case "ack":
        this.#options.onAck(frame.session, frame.seq);
        break;
      case "taken":
        this.#options.onPiecesTaken(frame.session, frame.seq, frame.pieces);
        break;
      case "order":
        this.#options.onOrder(frame.id, frame.order);
        break;
      case "terminal-watch":
      case "terminal-leave":
      case "terminal-ack":
      case "terminal-input":
      case "terminal-resize":
        this.#options.onTerminalFrame(frame);
        break;
      case "folder-watch":
      case "folder-leave":
        this.#options.onFolderFrame(frame);
        break;
      case "refused":
        this.#refused = frame.detail;
        break;
      default:
        frame satisfies never;
    }
  }

  /** Sends nothing to a program that took the place of the hub after it had been located. */
  #verifyHub(frame: FrameToRunner): void {
    const { hub, hello } = this.#options;
    const text = linkProofText(this.#authorization, hub.host);
    if (frame.type === "hub" && verifySignature(hub.key, text, frame.proof)) {
      this.#isProven = true;
      this.send({ type: "hello", version: LINK_VERSION, ...hello });
      return;
    }
    this.#end(`The program at ${hub.url} is not the hub of this runner. Nothing was sent to it.`);
    this.#socket.terminate();
  }

  #end(why: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#liveness.stop();
    this.#options.onEnd(why);
  }

  #rejectOrder(id: string): void {
    const detail = "This runner is too old for this request of the hub. Update it.";
    this.send({ type: "done", id, problem: { code: "unknown-order", detail } });
  }
}

/** The header of the request that opens a link; its body is empty. */
export function createLinkAuthorization(key: DeviceSigningKey, nonce: string): string {
  const digest = createHash("sha256").update("").digest("hex");
  const { device } = key;
  const request = { device, nonce, count: 1, method: "GET", target: LINK_PATH, digest };
  return authorizationHeader({ ...request, signature: key.sign(requestText(request)) });
}

/** The id of an order that this version cannot read, so that a newer hub gets an answer. */
function readOrderId(text: string): string | undefined {
  const frame = parseObject(text);
  if (typeof frame === "string" || frame["type"] !== "order") return undefined;
  return typeof frame["id"] === "string" ? frame["id"] : undefined;
}
