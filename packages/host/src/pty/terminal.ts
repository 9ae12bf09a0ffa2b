import { deferred } from "@signalbox/protocol/wire";
import type {
  ShownTerminal,
  TerminalListener,
  TerminalSnapshot,
} from "../launch/agent-terminal.ts";
import type { Pty, PtyExit } from "./pty.ts";
import { Screen, type TerminalSize } from "./screen.ts";
import { TerminalFilter } from "./terminal-filter.ts";

/** Output that the screen has not yet interpreted, in UTF-16 units. A program that floods loses what is older. */
const MAX_WAITING = 16 * 1024 * 1024;

/**
 * A program on a pseudo-terminal, and the screen that it draws. The program is never held up by who looks on:
 * its output is always read, and a follower who missed some takes a snapshot.
 */
export class Terminal implements ShownTerminal {
  /** Another one of the same id has another, so that what was typed into this one does not count there. */
  readonly instance = crypto.randomUUID();
  /** Changes when the stream begins anew, so that offsets of another stream are not mistaken for ours. */
  #epoch = crypto.randomUUID();
  #screen: Screen;
  #filter = new TerminalFilter();
  #decoder = new TextDecoder();
  /** The length of the filtered stream that the screen shows. */
  #at = 0;
  #waiting = 0;
  #pty: Pty | undefined;
  readonly #exited = deferred<PtyExit>();
  #listener: TerminalListener | undefined;
  readonly #answers = new AnswerLimit();

  constructor(size: TerminalSize) {
    this.#screen = this.#createScreen(size);
  }

  /** Connects the program, which is started with `onOutput` as the receiver of its output. */
  attach(pty: Pty): void {
    this.#pty = pty;
    void pty.exited.then((exit) => this.#exited.resolve(exit));
  }

  get epoch(): string {
    return this.#epoch;
  }
  get size(): TerminalSize {
    return this.#screen.size;
  }
  /** Settles when the program and its children are gone. */
  get exited(): Promise<PtyExit> {
    return this.#exited.promise;
  }
  /** Whether the program wants pasted text to be marked as such. */
  get wantsMarkedPastes(): boolean {
    return this.#screen.wantsMarkedPastes;
  }

  follow(listener: TerminalListener | undefined): void {
    this.#listener = listener;
  }

  /** The text of the visible rows. */
  visibleText(): string {
    return this.#screen.visibleText();
  }

  /** The same without what is printed dim or inverse. */
  brightText(): string {
    return this.#screen.brightText();
  }

  readonly onOutput = (bytes: Uint8Array): void => {
    const raw = this.#decoder.decode(bytes, { stream: true });
    if (raw === "") return;
    if (this.#waiting + raw.length > MAX_WAITING) this.#startAnew();
    const passed = this.#filter.filter(raw);
    const epoch = this.#epoch;
    this.#waiting += raw.length;
    // Followers are told once the screen shows it, so that a snapshot and the stream always fit together.
    this.#screen.write(raw, () => {
      if (epoch !== this.#epoch) return;
      this.#waiting -= raw.length;
      if (passed === "") return;
      const at = this.#at;
      this.#at += passed.length;
      this.#listener?.onOutput(at, passed);
    });
  };

  /** The screen as it is when all output so far has been drawn. */
  snapshot(): Promise<TerminalSnapshot> {
    return new Promise((resolve) => {
      this.#screen.write("", () => {
        const place = { instance: this.instance, epoch: this.#epoch, at: this.#at };
        resolve({ ...place, ...this.size, text: this.#screen.snapshot() });
      });
    });
  }

  write(text: string): void {
    this.#pty?.write(text);
  }

  resize(size: TerminalSize): void {
    const before = this.size;
    this.#screen.resize(size);
    const after = this.size;
    if (after.cols === before.cols && after.rows === before.rows) return;
    this.#pty?.resize(after);
    this.#listener?.onSize(after);
  }

  async close(): Promise<void> {
    await this.#pty?.close();
  }

  /** Gives the screen's memory back. A terminal whose program has ended can still be looked at before. */
  dispose(): void {
    this.#screen.dispose();
  }

  /** A flood that cannot be interpreted as fast as it comes: what is waiting is given up. */
  #startAnew(): void {
    const { size } = this;
    this.#screen.dispose();
    this.#screen = this.#createScreen(size);
    this.#filter = new TerminalFilter();
    this.#epoch = crypto.randomUUID();
    this.#at = 0;
    this.#waiting = 0;
    this.#listener?.onReset();
  }

  #createScreen(size: TerminalSize): Screen {
    return new Screen(size, (answer) => {
      if (this.#answers.admit()) this.#pty?.write(answer);
    });
  }
}

/** How many queries of the program are answered within a second. */
const MAX_ANSWERS = 100;

/**
 * Limits the answers to a program's queries. A file that is printed may hold millions of queries, and each
 * answer would be typed, echoed and interpreted again.
 */
class AnswerLimit {
  #since = 0;
  #count = 0;

  admit(): boolean {
    const now = performance.now();
    if (now - this.#since >= 1000) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= MAX_ANSWERS;
  }
}
