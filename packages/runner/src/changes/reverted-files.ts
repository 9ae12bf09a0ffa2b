import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { OrderError } from "../supervise/order-error.ts";
import { fileState, type FileState, readFileState } from "./file-state.ts";

const MAX_REVERTS = 100;
const MAX_AGE_MS = 7 * 24 * 3600 * 1000;

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

  constructor(place: string, now: () => number = Date.now) {
    this.#place = place;
    this.#now = now;
  }

  /** Stores what is at these paths of a folder. */
  async save(
    id: string,
    folder: string,
    paths: readonly string[],
  ): Promise<{ path: string; before: FileState }[]> {
    await mkdir(join(this.#place, id), { recursive: true, mode: 0o700 });
    const files: { path: string; before: FileState }[] = [];
    for (const [nth, path] of paths.entries()) {
      files.push({ path, before: await readFileState(folder, path, this.getCopy(id, nth)) });
    }
    return files;
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

  async #prune(): Promise<void> {
    const ids = await readdir(this.#place).catch(() => []);
    const ages = await Promise.all(
      ids.map(async (id) => {
        const text = await readFile(join(this.#place, id, "revert.json"), "utf8").catch(() => "");
        const at = /"at":(\d+)/.exec(text)?.[1];
        return { id, at: at === undefined ? undefined : Number(at) };
      }),
    );
    const known = ages.filter((one) => one.at !== undefined) as { id: string; at: number }[];
    const newest = known.toSorted((a, b) => b.at - a.at);
    const old = newest.filter(({ at }, nth) => nth >= MAX_REVERTS || at < this.#now() - MAX_AGE_MS);
    await Promise.all(old.map(({ id }) => this.remove(id)));
  }
}
