import { readFile, stat } from "node:fs/promises";
import { realPath } from "../files/paths.ts";

/** The state of a file when the agent last read or wrote it. */
interface Known {
  readonly mtimeMs: number;
  readonly content: string;
  /** The model has seen the whole file. */
  readonly isSeen: boolean;
  /** A change by somebody else was already reported. */
  isTold?: boolean;
}

/** How the model's knowledge compares with the file. */
export type Knowledge = "none" | "outdated" | "partial" | "whole";

/**
 * Remembers which files were read, so that no edit is based on an outdated state. Links are
 * followed, so a file is the same under all its names.
 */
export class ReadFileTracker {
  readonly #known = new Map<string, Known>();

  async note(path: string, content: string, isSeen = true): Promise<void> {
    const { mtimeMs } = await stat(path);
    this.#known.set(realPath(path), { mtimeMs, content, isSeen });
  }

  /** Records what the model saw or wrote before this process started. */
  restoreKnowledge(path: string, mtimeMs: number, content: string): void {
    this.#known.set(realPath(path), { mtimeMs, content, isSeen: true });
  }

  /**
   * Records the current state of a file of which the model has seen parts; ignored if the file does
   * not exist.
   */
  async noteUnseen(path: string): Promise<void> {
    await readFile(path, "utf8").then(
      (content) => this.note(path, content, false),
      () => {},
    );
  }

  /**
   * Records a file that the host knows, with the time of its last change then. If the file is
   * newer, it is ignored.
   */
  async seed(path: string, mtimeMs: number): Promise<void> {
    try {
      if (Math.floor((await stat(path)).mtimeMs) > mtimeMs) return;
      await this.note(path, await readFile(path, "utf8"));
    } catch {
      return; // The file does not exist, so nothing is known about it.
    }
  }

  /** Forgets what the model has seen. Returns the files, last changed first. */
  forget(): string[] {
    const known = [...this.#known].toSorted(([, a], [, b]) => b.mtimeMs - a.mtimeMs);
    this.#known.clear();
    return known.map(([path]) => path);
  }

  async getKnowledge(path: string): Promise<Knowledge> {
    const known = this.#known.get(realPath(path));
    if (!known) return "none";
    if (await isOutdated(path, known)) return "outdated";
    return known.isSeen ? "whole" : "partial";
  }

  /** Returns files that the model has seen and that have changed since. Each is reported once. */
  async listChanged(): Promise<string[]> {
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
    return false; // The file does not exist any more. A tool that writes it notices that by itself.
  }
}
