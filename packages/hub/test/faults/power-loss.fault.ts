import { hasStrace } from "@signalbox/testing/machine";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder } from "../store/rows.ts";
import { lookAt, makeStore } from "./trace.ts";

const COUNT = 60;

interface Acknowledged {
  readonly commit: number;
  /** Whether the write-ahead log had bytes in it that no sync had brought to the disk. */
  readonly unsynced: boolean;
}

/** What a trace of system calls tells: at each commit that was told, what a power cut would have taken. */
function acknowledged(trace: string): Acknowledged[] {
  const told: Acknowledged[] = [];
  const syncing = new Map<string, string>(); // by thread: the file that it waits for
  let unsynced = false;
  for (const line of trace.split("\n")) {
    const thread = /^(\d+)/.exec(line)?.[1] ?? "";
    const call = /^\d+\s+(\w+)\(\d+<([^>]*)>/.exec(line);
    const [, name = "", path = ""] = call ?? [];
    if (/^(?:pwrite64|write|pwritev)$/.test(name) && path.endsWith("-wal")) unsynced = true;
    if (/^f(?:data)?sync$/.test(name)) syncing.set(thread, path);
    const isOver = /(?:^\d+\s+f(?:data)?sync\(|<\.\.\. f(?:data)?sync resumed>).*= 0$/.test(line);
    if (isOver && syncing.get(thread)?.endsWith("-wal")) unsynced = false;
    const resolved = /\\"resolved\\":(\d+)/.exec(line)?.[1];
    if (name === "write" && resolved !== undefined) {
      told.push({ commit: Number(resolved), unsynced });
    }
  }
  return told;
}

test.if(hasStrace)(
  "[LG8] nothing is acknowledged that a power cut could take: the log is on the disk before each answer",
  async () => {
    await using folder = await openFolder();
    await using place = await openFolder();
    await makeStore(folder.path);
    const output = join(place.path, "trace");
    const script = join(import.meta.dir, "faulty-writer.ts");
    const calls = "trace=pwrite64,pwritev,write,fsync,fdatasync";
    const options = ["-f", "-qq", "-y", "-s", "200", "-o", output, "-e", calls];
    const command = [process.execPath, script, folder.path, String(COUNT)];
    const child = Bun.spawn(["strace", ...options, ...command], { stdout: "pipe" });
    await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    const told = acknowledged(readFileSync(output, "utf8"));
    expect(told.map(({ commit }) => commit)).toEqual(
      Array.from({ length: COUNT }, (_, at) => at + 1),
    );
    expect(told.filter(({ unsynced }) => unsynced)).toEqual([]);
    await lookAt(folder.path, COUNT);
  },
  180_000,
);
