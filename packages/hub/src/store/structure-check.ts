import { statSync } from "node:fs";
import { ReaderClient } from "./reader-client.ts";
import type { CheckResult } from "./store.ts";

/**
 * A database of up to this size is checked quickly; a larger one is checked on a separate thread.
 */
const SMALL_BYTES = 32 * 1024 * 1024;

interface StructureCheckOptions {
  readonly file: string;
  /** Whether another connection may write the database. */
  readonly live: boolean;
  readonly everyMs: number;
  /** The connection that all other readers use. */
  readonly reading: ReaderClient;
  readonly onDamage: (message: string) => void;
}

/**
 * Checks the structure of the database (`quick_check`) at the start and from time to time, so that
 * damaged pages are known before a write meets them. It cannot detect a changed letter inside a
 * text, because pages have no checksums.
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

  /** Undefined while the first check runs, or if the file could not be read. */
  get last(): CheckResult | undefined {
    return this.#last;
  }

  /**
   * Settles when the start may continue: a large database is checked while the hub already works.
   */
  async begin(): Promise<void> {
    const { reading } = this.#options;
    if (this.#isSmall()) await this.#run(() => reading.ask("quickCheck"));
    else void this.run();
  }

  /**
   * Uses a separate connection, because others have pages in memory and would not read the disk.
   */
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
      // Damage that made the check itself fail was reported by the reader; any other failure may be
      // temporary.
    }
  }

  /** Uses a connection and a thread that end with the check. */
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
