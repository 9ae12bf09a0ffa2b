import type { ClientFrame } from "@signalbox/api";
import { terminalInputText } from "@signalbox/api/proof";
import type { Frame } from "../contract.ts";

/** What a viewer of a terminal does with the stream. A promise delays the acknowledgement until it settles. */
export interface TerminalViewer {
  /** Draw this on an empty terminal of this size. */
  onSnapshot(snapshot: Frame<"terminal-snapshot">): void | Promise<void>;
  onOutput(text: string): void | Promise<void>;
  onSize(size: { readonly cols: number; readonly rows: number }): void;
  /** The terminal is closed, or never was. */
  onGone(): void;
}

export interface TerminalWatch extends Disposable {
  /** Sends what a person typed. Does nothing while the connection is lost. */
  type(data: string): void;
  resize(size: { readonly cols: number; readonly rows: number }): void;
  close(): void;
}

interface WatchedTerminalOptions {
  readonly terminal: string;
  /** The runner of the terminal's session, which checks the signatures of what is typed. */
  readonly runner: string;
  readonly viewer: TerminalViewer;
  readonly send: (frame: ClientFrame) => void;
  /** The device's signature of a text; undefined for a program that cannot sign. */
  readonly sign: (text: string) => Promise<string | undefined>;
}

export type TerminalFrame = Frame<
  "terminal-snapshot" | "terminal-output" | "terminal-size" | "terminal-gone"
>;

/** One terminal as one viewer sees it. Output counts only if it continues what is there. */
export class WatchedTerminal {
  readonly #options: WatchedTerminalOptions;
  readonly #source = crypto.randomUUID();
  #count = 0;
  #instance = "";
  #startTyping = () => {};
  /** What is typed waits for the first snapshot, which says what it is signed with. */
  #typing: Promise<unknown> = new Promise<void>((resolve) => (this.#startTyping = resolve));
  #has: { epoch: string; at: number } | undefined;

  constructor(options: WatchedTerminalOptions) {
    this.#options = options;
  }

  /** Subscribes, also again on a new connection: a snapshot comes, and what follows. */
  request(): void {
    this.#has = undefined;
    this.#options.send({ type: "terminal-watch", terminal: this.#options.terminal });
  }

  /** Returns what has to settle before the frame is acknowledged. */
  apply(frame: TerminalFrame): void | Promise<void> {
    const { viewer } = this.#options;
    switch (frame.type) {
      case "terminal-snapshot":
        this.#has = { epoch: frame.epoch, at: frame.at };
        this.#instance = frame.instance;
        this.#startTyping();
        return viewer.onSnapshot(frame);
      case "terminal-output": {
        if (!this.#has) return undefined;
        if (frame.epoch !== this.#has.epoch || frame.at !== this.#has.at) return this.request();
        this.#has.at += frame.text.length;
        return viewer.onOutput(frame.text);
      }
      case "terminal-size":
        return viewer.onSize(frame);
      case "terminal-gone":
        return viewer.onGone();
      default:
        return frame satisfies never;
    }
  }

  /** Signatures take a moment each: what is typed is sent in the order in which it was typed. */
  type(data: string): void {
    if (data === "") return;
    const count = ++this.#count;
    this.#typing = this.#typing.then(() => this.#signAndSend(data, count)).catch(() => {});
  }

  async #signAndSend(data: string, count: number): Promise<void> {
    const { terminal, runner, send, sign } = this.#options;
    const source = this.#source;
    const instance = this.#instance;
    const text = terminalInputText({ runner, terminal, instance, source, count, data });
    const signature = await sign(text);
    if (signature === undefined) return;
    send({ type: "terminal-input", terminal, source, count, data, signature });
  }
}
