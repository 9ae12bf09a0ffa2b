import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseObject } from "@signalbox/protocol/wire";
import { isUuid } from "../command-line/parse-options.ts";

/** Finds the file of a session: in the likely folders first, then in any project's. */
export async function findSession(
  projects: string,
  id: string,
  preferred: readonly string[],
): Promise<string | undefined> {
  const others = await readdir(projects).catch(() => []);
  const folders = [...preferred, ...others.map((name) => join(projects, name))];
  for (const folder of folders) {
    const path = join(folder, `${id}.jsonl`);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}

interface SessionFile {
  readonly id: string;
  readonly path: string;
}

/** Finds the session of a project that was changed last. */
export async function findNewestSession(folder: string): Promise<SessionFile | undefined> {
  return (await listNewestFirst(folder))[0];
}

/** Finds the newest session of a project with this title. */
export async function findTitled(folder: string, title: string): Promise<SessionFile | undefined> {
  for (const found of await listNewestFirst(folder)) {
    if (titleIn(await readFile(found.path, "utf8")) === title) return found;
  }
  return undefined;
}

/** Returns the last title in a transcript. */
function titleIn(transcript: string): unknown {
  const last = transcript.split("\n").findLast((line) => line.includes('"custom-title"'));
  const line = parseObject(last ?? "");
  return typeof line === "string" ? undefined : line["customTitle"];
}

export async function listNewestFirst(folder: string): Promise<(SessionFile & { at: number })[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".jsonl") && isUuid(basename(name, ".jsonl")));
  const dated = await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name);
      return { id: basename(name, ".jsonl"), path, at: (await stat(path)).mtimeMs };
    }),
  );
  return dated.toSorted((a, b) => b.at - a.at);
}
