import { FrameLines } from "@signalbox/protocol/wire";
import { type BunSocket, openBunSocket } from "../bun-socket.ts";
import { SilenceMonitor } from "../link/silence-monitor.ts";
import { type FromHub, LIFE_HEADER, readDialFrame } from "./frames.ts";

const PING_MS = 10_000;
/** Whoever says nothing for so long does not speak our form. */
const PLAIN_AFTER_MS = 5000;
const BUFFERED = 4 * 1024 * 1024;

export interface CloseInfo {
  /** False: there was no connection at all. */
  readonly opened: boolean;
  readonly code: number;
  readonly reason: string;
}

interface DialConnectionOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly life: string;
  readonly tickMs?: number;
  readonly plainAfterMs?: number;
  /** A hub of ours has answered at this address: it is waited for, however late its first word is. */
  readonly isOurs?: boolean;
  /** A frame of our form; the first is always `welcome`, also where it comes after plain lines. */
  readonly onFrame: (frame: FromHub, lines: readonly string[]) => void;
  /** The relay does not know our form: from now on there are plain lines. */
  readonly onPlain: () => void;
  readonly onPlainLines: (lines: readonly string[]) => void;
  /** Once. Nothing is told of this connection afterwards. */
  readonly onClosed: (closed: CloseInfo) => void;
}

/** One connection to a relay, from dialling to its end. */
export class DialConnection {
  readonly #options: DialConnectionOptions;
  readonly #socket: BunSocket;
  readonly #liveness: SilenceMonitor;
  readonly #pings: ReturnType<typeof setInterval>;
  readonly #plainLines = new FrameLines();
  #doubt: ReturnType<typeof setTimeout> | undefined;
  #form: "unknown" | "ours" | "plain" = "unknown";
  #opened = false;
  /** It has said something. */
  #isHeard = false;
  #over = false;

  constructor(options: DialConnectionOptions) {
    this.#options = options;
    const headers = { ...options.headers, [LIFE_HEADER]: options.life };
    const socket = openBunSocket(options.url, { headers });
    this.#socket = socket;
    const ping = () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    };
    this.#pings = setInterval(ping, PING_MS);
    const dead = () => {
      this.#end({ opened: this.#opened, code: 1006, reason: "it does not answer any more" });
      socket.terminate();
    };
    this.#liveness = new SilenceMonitor({ quiet: ping, dead }, options.tickMs);
    const onActivity = () => this.#liveness.onActivity();
    socket.addEventListener("open", () => {
      onActivity();
      this.#opened = true;
      if (options.isOurs === true) return;
      this.#doubt = setTimeout(
        () => this.#switchToPlainLines(),
        options.plainAfterMs ?? PLAIN_AFTER_MS,
      );
    });
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      onActivity();
      if (typeof data === "string" && !this.#over) this.#receive(data);
    });
    socket.addEventListener("ping", onActivity);
    socket.addEventListener("pong", onActivity);
    socket.addEventListener("close", ({ code, reason }) => {
      this.#end({ opened: this.#opened, code, reason });
    });
    socket.addEventListener("error", () => {}); // its close follows
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  get isFull(): boolean {
    return this.#socket.bufferedAmount > BUFFERED;
  }

  close(code = 1000): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(code);
    else this.#socket.terminate();
  }

  #receive(text: string): void {
    const read = this.#isHeard && this.#form === "plain" ? undefined : readDialFrame(text);
    if (!this.#isHeard) {
      this.#isHeard = true;
      clearTimeout(this.#doubt);
      if (read?.frame.subtype === "welcome") this.#form = "ours";
      else if (this.#options.isOurs === true) return this.#onForeignHub();
      else this.#switchToPlainLines();
    }
    if (this.#form === "plain") this.#receivePlain(text);
    else if (read) this.#options.onFrame(read.frame, read.lines);
  }

  /** Plain lines would be given up for what the hub of before is still to have. */
  #onForeignHub(): void {
    this.#end({ opened: true, code: 4409, reason: "it speaks otherwise than before" });
    this.#socket.terminate();
  }

  #receivePlain(text: string): void {
    const lines = this.#plainLines.push(text);
    if (lines) this.#options.onPlainLines(lines);
    else this.#socket.terminate(); // a line without an end
  }

  #switchToPlainLines(): void {
    clearTimeout(this.#doubt);
    if (this.#over || this.#form !== "unknown") return;
    this.#form = "plain";
    this.#options.onPlain();
  }

  #end(closed: CloseInfo): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#doubt);
    clearInterval(this.#pings);
    this.#liveness.stop();
    this.#options.onClosed(closed);
  }
}
