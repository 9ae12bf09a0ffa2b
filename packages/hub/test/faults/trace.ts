import { expect } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openStore, type StoreHealth } from "@signalbox/hub/store";
import { session } from "../store/rows.ts";

export interface News {
  readonly health?: StoreHealth;
  readonly resolved?: number;
  readonly rejected?: number;
  readonly why?: string;
  readonly done?: true;
}

/** Runs a script of this folder while strace lets system calls fail, such as `fsync:error=EIO:when=3`. */
export async function traced(
  inject: string,
  script: string,
  args: readonly string[],
): Promise<{ news: News[]; signal: string | null; code: number | null }> {
  const calls = inject.slice(0, inject.indexOf(":"));
  const options = [
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${calls}`,
    "-e",
    `inject=${inject}`,
  ];
  const command = [process.execPath, join(import.meta.dir, script), ...args];
  const child = spawn("strace", [...options, ...command], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const news = whole.split("\n").filter(Boolean);
  return { news: news.map((line) => JSON.parse(line) as News), signal, code };
}

/** A store that is there, with the session that the writers write to. */
export async function makeStore(folder: string): Promise<void> {
  await using store = await openStore(folder);
  await store.commit([session("s")]);
}

/** Every commit up to `count` is there once, whole and in order. */
export async function lookAt(folder: string, count: number): Promise<void> {
  await using store = await openStore(folder);
  expect(store.health).toEqual({ writable: true });
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const lines = await store.linesAfter("s", 0, Number.MAX_SAFE_INTEGER);
  expect(lines.map(({ pos }) => pos)).toEqual(numbers);
  const entries = await store.audit(0, Number.MAX_SAFE_INTEGER);
  const wrote = entries.filter(({ what }) => what === "wrote");
  expect(wrote.map(({ facts }) => facts["n"])).toEqual(numbers);
  expect((await store.verifyAudit()).broken).toBeUndefined();
  expect(await store.checkIntegrity()).toEqual([]);
}
