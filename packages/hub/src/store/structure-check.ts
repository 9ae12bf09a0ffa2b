import { statSync } from "node:fs";
import { ReaderClient } from "./reader-client.ts";
import type { CheckResult } from "./store.ts";

/** To check so many bytes takes a moment; a larger database is checked on a thread of its own. */
const SMALL_BYTES = 32 * 1024 * 1024;

interface StructureCheckOptions {
  readonly file: string;
  /** Somebody may write the database meanwhile. */
  readonly live: boolean;
  readonly everyMs: number;
  /** The connection that everybody else reads with. */
  readonly reading: ReaderClient;
  readonly onDamage: (message: string) => void;
}

/**
 * Walks the structure of the database (`quick_check`) at the start and from time to time, so that damaged
 * pages are known before a write meets them. It cannot see a changed letter inside a text: pages have no
 * checksums.
 */
export class StructureCheck {
  readonly #options: StructureCheckOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #extra: ReaderClient | undefined;
  #running: Promise<void> | undefined;
  #last: CheckResult | undefined;

  constructor(options: StructureCheckOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.run(), options.everyMs);
    this.#timer.unref();
  }

  /** Undefined: the first one is not over, or the file could not be read. */
  get last(): CheckResult | undefined {
    return this.#last;
  }

  /** Settles when the start may go on: a large database is checked while the hub works already. */
  async begin(): Promise<void> {
    const { reading } = this.#options;
    if (this.#isSmall()) await this.#run(() => reading.ask("quickCheck"));
    else void this.run();
  }

  /** On a connection of its own: the others have pages in memory, and would not look at the disk. */
  run(): Promise<void> {
    return this.#run(() => this.#checkApart());
  }

  #run(check: () => Promise<string[]>): Promise<void> {
    return (this.#running ??= this.#note(check).finally(() => (this.#running = undefined)));
  }

  end(): void {
    clearInterval(this.#timer);
    this.#extra?.end();
  }

  async #note(check: () => Promise<string[]>): Promise<void> {
    try {
      const problems = await check();
      this.#last = { at: Date.now(), problems };
      if (problems[0] !== undefined) this.#options.onDamage(problems[0]);
    } catch {
      // Damage so bad that the check itself failed was told by `Reading`; anything else may pass.
    }
  }

  /** On a connection and a thread that end with the check. */
  async #checkApart(): Promise<string[]> {
    const { file, live, onDamage } = this.#options;
    const extra = new ReaderClient(
      file,
      live,
      (why, message) => why === "damaged" && onDamage(message),
    );
    this.#extra = extra;
    try {
      await extra.opened;
      const problems = await extra.ask("quickCheck");
      await extra.close();
      return problems;
    } finally {
      this.#extra = undefined;
      extra.end();
    }
  }

  #isSmall(): boolean {
    const bytes = statSync(this.#options.file, { throwIfNoEntry: false })?.size ?? 0;
    return bytes <= SMALL_BYTES;
  }
}
