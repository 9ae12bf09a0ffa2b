import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const STALLED_MS = 30_000;

/** A process of the benchmark: a line in, a line of JSON out. */
export class Child<Begin, Answer> implements Disposable {
  readonly #child;
  readonly #lines;
  readonly begin: Promise<Begin>;

  constructor(script: string, args: readonly string[] = []) {
    const path = join(import.meta.dir, "processes", script);
    this.#child = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: this.#child.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
    this.begin = this.#next() as Promise<Begin>;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async #next(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("a process of the benchmark ended early");
    return JSON.parse(value);
  }

  tell(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  async ask(word = "?"): Promise<Answer> {
    await this.begin;
    this.tell(word);
    return this.#next() as Promise<Answer>;
  }

  /** Asks until the answer fits; an answer that stays the same for half a minute never will. */
  async until(fits: (answer: Answer) => boolean, everyMs = 50): Promise<Answer> {
    let last = "";
    let changed = Date.now();
    for (;;) {
      const answer = await this.ask();
      if (fits(answer)) return answer;
      const told = JSON.stringify(answer);
      if (told !== last) [last, changed] = [told, Date.now()];
      if (Date.now() - changed > STALLED_MS)
        throw new Error(`a process of the benchmark got no further: ${told}`);
      await Bun.sleep(everyMs);
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }
}

export interface Cost {
  readonly cpuSeconds: number;
  readonly heapUsed: number;
  readonly rss: number;
}
export interface Seen {
  readonly live: number;
  readonly frames: number;
  readonly bytes: number;
  /** The newest text of each client of the hub, with its length; one, when all have the same. */
  readonly newest: readonly string[];
}
