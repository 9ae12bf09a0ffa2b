import { readFile, stat } from "node:fs/promises";

/** What the model knows of a file: as it was when it was last read or written here. */
interface Known {
  readonly mtimeMs: number;
  readonly content: string;
  readonly partial: boolean;
}

/** Remembers what was read, so that an edit never rests on a state that is gone. */
export class FileMemory {
  readonly #known = new Map<string, Known>();

  async note(path: string, content: string, partial = false): Promise<void> {
    const { mtimeMs } = await stat(path);
    this.#known.set(path, { mtimeMs, content, partial });
  }

  /** Whether a file was changed by somebody else since it was read here. */
  async isStale(path: string): Promise<boolean> {
    const known = this.#known.get(path);
    if (!known) return false;
    try {
      const { mtimeMs } = await stat(path);
      if (mtimeMs <= known.mtimeMs) return false;
      return known.partial || (await readFile(path, "utf8")) !== known.content;
    } catch {
      return false; // gone: whoever writes finds out by itself
    }
  }

  /** Files that were read here and are different now; each is reported once. */
  async changed(): Promise<string[]> {
    const found: string[] = [];
    for (const path of this.#known.keys()) {
      if (await this.isStale(path)) found.push(path);
    }
    for (const path of found) this.#known.delete(path);
    return found;
  }
}
