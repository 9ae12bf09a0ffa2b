import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isUuid } from "../command-line/read-options.ts";

/** The file of a session: in the likely folders first, then in any project's. */
export async function findSession(
  projects: string,
  id: string,
  likely: readonly string[],
): Promise<string | undefined> {
  const others = await readdir(projects).catch(() => []);
  const folders = [...likely, ...others.map((name) => join(projects, name))];
  for (const folder of folders) {
    const path = join(folder, `${id}.jsonl`);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}

/** The session of a project that was written to last. */
export async function newestSession(
  folder: string,
): Promise<{ id: string; path: string } | undefined> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".jsonl") && isUuid(basename(name, ".jsonl")));
  const dated = await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name);
      return { id: basename(name, ".jsonl"), path, at: (await stat(path)).mtimeMs };
    }),
  );
  return dated.toSorted((a, b) => b.at - a.at)[0];
}
