import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { OrderError } from "../supervise/order-error.ts";
import { fileState, type FileState, readFileState } from "./file-state.ts";

const MAX_REVERTS = 100;
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;
/** The disk that would be filled is the one on which sessions are stored. */
const defaultLimits = { fileBytes: 1024 ** 3, allBytes: 4 * 1024 ** 3 };
type Limits = typeof defaultLimits;

const revertRecord = z.object({
  at: z.number(),
  folder: z.string(),
  /** The entries of the index as `git ls-files --stage -z` prints them, in base64. */
  index: z.string(),
  files: z.array(z.object({ path: z.string(), before: fileState, after: fileState })),
});
type RevertRecord = z.infer<typeof revertRecord>;

/** What files were before they were reverted, in a folder of the runner's. */
export class RevertedFiles {
  readonly #place: string;
  readonly #now: () => number;
  readonly #limits: Limits;

  constructor(place: string, now: () => number = Date.now, limits: Readonly<Partial<Limits>> = {}) {
    this.#place = place;
    this.#now = now;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Stores what is at these paths of a folder. */
  async save(
    id: string,
    folder: string,
    paths: readonly string[],
  ): Promise<{ path: string; before: FileState }[]> {
    await mkdir(join(this.#place, id), { recursive: true, mode: 0o700 });
    try {
      const files: { path: string; before: FileState }[] = [];
      for (const [nth, path] of paths.entries()) {
        const before = await readFileState(folder, path, {
          place: this.getCopy(id, nth),
          maxBytes: this.#limits.fileBytes,
        });
        if (before.kind === "other") {
          throw new OrderError("bad-path", `${path} is neither a file nor a link.`);
        }
        files.push({ path, before });
      }
      return files;
    } catch (failure) {
      await this.remove(id); // a copy that is cut off, of which nothing else would be known
      throw failure;
    }
  }

  /** The file that holds the bytes of the nth path. */
  getCopy(id: string, nth: number): string {
    return join(this.#place, id, `${nth}.bytes`);
  }

  async record(id: string, record: Omit<RevertRecord, "at">): Promise<void> {
    const text = JSON.stringify({ at: this.#now(), ...record } satisfies RevertRecord);
    await writeFile(join(this.#place, id, "revert.json"), text, { mode: 0o600 });
    await this.#prune();
  }

  async read(id: string, folder: string): Promise<RevertRecord> {
    const text = await readFile(join(this.#place, id, "revert.json"), "utf8").catch(() => "null");
    const { data } = revertRecord.safeParse(JSON.parse(text));
    if (data?.folder === folder) return data;
    throw new OrderError(
      "no-such-undo",
      "This revert cannot be undone: it was undone already, or is too long ago.",
    );
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.#place, id), { recursive: true, force: true });
  }

  /** Removes what is too old, and the oldest of what is too much. The newest stays: somebody is about to see it. */
  async #prune(): Promise<void> {
    const ids = await readdir(this.#place).catch(() => []);
    const all = await Promise.all(ids.map((id) => this.#measure(id)));
    const newest = all
      .flatMap(({ id, at, bytes }) => (at === undefined ? [] : [{ id, at, bytes }]))
      .toSorted((a, b) => b.at - a.at);
    let total = 0;
    for (const [nth, { id, at, bytes }] of newest.entries()) {
      total += bytes;
      const isTooMuch = nth >= MAX_REVERTS || (nth > 0 && total > this.#limits.allBytes);
      if (isTooMuch || at < this.#now() - MAX_AGE_MS) await this.remove(id);
    }
  }

  /** When a revert was recorded, and how many bytes it holds. One that is still being made has no time. */
  async #measure(id: string): Promise<{ id: string; at: number | undefined; bytes: number }> {
    const folder = join(this.#place, id);
    const text = await readFile(join(folder, "revert.json"), "utf8").catch(() => "");
    const at = /"at":(\d+)/.exec(text)?.[1];
    const names = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(folder, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    return { id, at: at === undefined ? undefined : Number(at), bytes };
  }
}
