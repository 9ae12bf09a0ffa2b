import { expect } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openStore } from "@signalbox/hub/store";

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

export interface Found {
  readonly commits: number;
  /** Lines, audit entries and receipts of commits that had resolved, or of which others are there. */
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
}

/** What is there of the commits, of which so many had resolved; the database itself is sound. */
export async function look(folder: string, resolved: number): Promise<Found> {
  await using store = await openStore(folder);
  const lines = await store.linesAfter("s", 0, Number.MAX_SAFE_INTEGER);
  const numbers = lines.map(({ text }) => (JSON.parse(text) as { n: number }).n);
  const entries = await store.audit(0, Number.MAX_SAFE_INTEGER);
  const audited = entries.map(({ facts }) => facts["n"] as number);
  const commits = Math.max(0, numbers.at(-1) ?? 0, audited.at(-1) ?? 0);
  const expected = Array.from({ length: Math.max(commits, resolved) }, (_, at) => at + 1);
  const all = [
    compare(
      expected.flatMap((n) => Array.from({ length: (n % 7) + 1 }, () => n)),
      numbers,
    ),
    compare(expected, audited),
    compare(
      lines.map((_, at) => at + 1),
      lines.map(({ pos }) => pos),
    ),
  ];
  const sum = (of: "lost" | "doubled" | "reordered") =>
    all.reduce((total, each) => total + each[of], 0);
  const newest = commits > 0 ? await store.receipt(String(commits)) : undefined;
  const noReceipt = commits > 0 && newest?.at !== commits ? 1 : 0;
  expect(await store.receipt(String(commits + 1))).toBeUndefined();
  expect((await store.verifyAudit()).broken).toBeUndefined();
  expect(await store.checkIntegrity()).toEqual([]);
  return {
    commits,
    lost: sum("lost") + noReceipt,
    doubled: sum("doubled"),
    reordered: sum("reordered"),
  };
}

/** How often each number is missing or there too often, and how many come after a higher one. */
function compare(expected: readonly number[], there: readonly number[]) {
  const counts = new Map<number, number>();
  for (const n of expected) counts.set(n, (counts.get(n) ?? 0) + 1);
  for (const n of there) counts.set(n, (counts.get(n) ?? 0) - 1);
  let [lost, doubled] = [0, 0];
  for (const count of counts.values()) {
    lost += Math.max(0, count);
    doubled += Math.max(0, -count);
  }
  const reordered = there.filter((n, at) => n < (there[at - 1] ?? 0)).length;
  return { lost, doubled, reordered };
}
