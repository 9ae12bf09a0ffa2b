import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** The files below a folder, but for what a repository keeps for itself. Links are not followed:
 * they may lead anywhere. */
export async function* walk(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const entries = await opendir(folder).catch(() => undefined);
  if (!entries) return; // not ours to read
  const folders: string[] = [];
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && entry.name !== ".git") folders.push(path);
  }
  for (const one of folders.toSorted((one, other) => one.localeCompare(other)))
    yield* walk(one, signal);
}
