import { expect } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openStore } from "@signalbox/hub";

/** What is in the folder after a kill: the last whole commit and the last line. */
interface Found {
  readonly commits: number;
  readonly lines: number;
}

/** Starts a writer, kills it after some of its commits have resolved, and looks at what it left. */
export async function killAndLook(folder: string, before: Found, after: number): Promise<Found> {
  const script = join(import.meta.dir, "numbered-writer.ts");
  const args = [script, folder, String(before.commits + 1), String(before.lines)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const resolved = await killAfter(child, after);
  const found = await look(folder);
  expect(found.commits).toBeGreaterThanOrEqual(resolved);
  return found;
}

/** Gives back the last number the child has said: its commit had resolved. */
async function killAfter(child: ChildProcess, after: number): Promise<number> {
  const gone = once(child, "close");
  let said = 0;
  let last = 0;
  if (!child.stdout) throw new Error("no output");
  for await (const text of createInterface({ input: child.stdout })) {
    last = Number(text);
    if (++said === after) child.kill("SIGKILL");
  }
  await gone;
  expect(said).toBeGreaterThanOrEqual(after);
  return last;
}

/** Every commit up to the last is there once, whole and in order. */
export async function look(folder: string): Promise<Found> {
  await using store = await openStore(folder);
  const lines = await store.linesAfter("s", 0, Number.MAX_SAFE_INTEGER);
  expect(lines.map(({ pos }) => pos)).toEqual(lines.map((_, at) => at + 1));
  const numbers = lines.map(({ text }) => (JSON.parse(text) as { n: number }).n);
  const commits = numbers.at(-1) ?? 0;
  const expected = Array.from({ length: commits }, (_, at) => at + 1);
  expect(numbers).toEqual(expected.flatMap((n) => Array.from({ length: (n % 7) + 1 }, () => n)));
  const entries = await store.audit(0, Number.MAX_SAFE_INTEGER);
  expect(entries.map(({ facts }) => facts["n"])).toEqual(expected);
  expect((await store.verifyAudit()).broken).toBeUndefined();
  expect(await store.receipt(String(commits || "none"))).toEqual(
    commits ? expect.objectContaining({ at: commits }) : undefined,
  );
  expect(await store.receipt(String(commits + 1))).toBeUndefined();
  expect(await store.integrity()).toEqual([]);
  return { commits, lines: lines.length };
}
