import { expect } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openStore } from "@signalbox/hub";

/**
 * Starts a writer and kills it after some of its commits have resolved. Gives back the last that had:
 * the next writer finds it there, and so does whoever looks.
 */
export async function killWriter(folder: string, before: number, after: number): Promise<number> {
  const script = join(import.meta.dir, "numbered-writer.ts");
  const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "close");
  let last: number | undefined;
  let said = 0;
  for await (const text of createInterface({ input: child.stdout })) {
    if (last === undefined) expect(Number(text)).toBeGreaterThanOrEqual(before);
    last = Number(text);
    if (++said === after + 1) child.kill("SIGKILL");
  }
  await gone;
  expect(said).toBeGreaterThan(after);
  return last ?? 0;
}

/** Every commit up to the last is there once, whole and in order. */
export async function look(folder: string): Promise<number> {
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
  return commits;
}
