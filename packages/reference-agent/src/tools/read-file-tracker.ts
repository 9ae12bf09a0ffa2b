import { readFile, stat } from "node:fs/promises";
import { realPath } from "../files/paths.ts";

/** What is known of a file: as it was when it was last read or written here. */
interface Known {
  readonly mtimeMs: number;
  readonly content: string;
  /** The model has seen all of it. */
  readonly isSeen: boolean;
  /** A change by somebody else was told already. */
  isTold?: boolean;
}

/** How the model's knowledge of a file stands to the file. */
export type Knowledge = "none" | "outdated" | "partial" | "whole";

/** Remembers what was read, so that an edit never rests on a state that is gone. Links are followed:
 * a file is the same by all its names. */
export class ReadFileTracker {
  readonly #known = new Map<string, Known>();

  async note(path: string, content: string, isSeen = true): Promise<void> {
    const { mtimeMs } = await stat(path);
    this.#known.set(realPath(path), { mtimeMs, content, isSeen });
  }

  /** What the model saw, or wrote, at a time before this process. */
  recall(path: string, mtimeMs: number, content: string): void {
    this.#known.set(realPath(path), { mtimeMs, content, isSeen: true });
  }

  /** As it is now, of which the model has seen parts; nothing if it is gone. */
  async noteUnseen(path: string): Promise<void> {
    await readFile(path, "utf8").then(
      (content) => this.note(path, content, false),
      () => {},
    );
  }

  /** Somebody who has seen a file tells when it was changed last by then; a newer one is not known. */
  async seed(path: string, mtimeMs: number): Promise<void> {
    try {
      if (Math.floor((await stat(path)).mtimeMs) > mtimeMs) return;
      await this.note(path, await readFile(path, "utf8"));
    } catch {
      return; // it is not there: nothing is known of it
    }
  }

  /** The model no longer sees what it has seen: which files that was, the last changed first. */
  forget(): string[] {
    const known = [...this.#known].toSorted(([, a], [, b]) => b.mtimeMs - a.mtimeMs);
    this.#known.clear();
    return known.map(([path]) => path);
  }

  async of(path: string): Promise<Knowledge> {
    const known = this.#known.get(realPath(path));
    if (!known) return "none";
    if (await isOutdated(path, known)) return "outdated";
    return known.isSeen ? "whole" : "partial";
  }

  /** Files that the model has seen and that are different now; each is reported once. */
  async changed(): Promise<string[]> {
    const found: string[] = [];
    for (const [path, known] of this.#known) {
      if (!known.isSeen || known.isTold || !(await isOutdated(path, known))) continue;
      known.isTold = true;
      found.push(path);
    }
    return found;
  }
}

async function isOutdated(path: string, { mtimeMs, content, isSeen }: Known): Promise<boolean> {
  try {
    if ((await stat(path)).mtimeMs <= mtimeMs) return false;
    return !isSeen || (await readFile(path, "utf8")) !== content;
  } catch {
    return false; // gone: whoever writes finds out by itself
  }
}
