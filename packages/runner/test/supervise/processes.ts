import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunnerOptions } from "@signalbox/runner";
import { markedProcesses } from "@signalbox/host/agents";
import { endOrphans } from "../../src/orphans.ts";
import { FakeHub } from "../link/fake-hub.ts";

/** Runners in processes of their own, one after the other, in one data folder. */
export function openProcesses() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-test-")));
  const dataFolder = join(place, "data");
  const hub = new FakeHub();
  const marker = crypto.randomUUID();
  const children: { kill(signal: NodeJS.Signals): boolean; exited: Promise<unknown> }[] = [];
  return {
    hub,
    place,
    dataFolder,
    spillFolder: join(dataFolder, "spill"),
    /** All processes that agents of this stage have started. */
    agents: () => markedProcesses(`TEST_MARKER=${marker}`),
    /** For the environment of an agent. */
    mark: { TEST_MARKER: marker },
    /** `under`: a program that runs it, such as `prlimit`. */
    async runner(more: Partial<RunnerOptions> = {}, under: readonly string[] = []) {
      const options = {
        ...hub.proving.forProcess(hub.url),
        runner: "r",
        dataFolder,
        own: true,
        inheritFrom: { PATH: process.env["PATH"], HOME: tmpdir() },
        ...more,
      };
      const script = join(import.meta.dir, "runner-process.ts");
      const [command, ...args] = [...under, process.execPath, script];
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.end(`${JSON.stringify(options)}\n`);
      const printed: string[] = [];
      child.stdout.on("data", (bytes) => printed.push(String(bytes)));
      const exited = once(child, "exit");
      children.push({ kill: (signal) => child.kill(signal), exited });
      await Promise.race([once(child.stdout, "data"), exited]);
      return { child, exited, pid: child.pid ?? 0, printed: () => printed.join("") };
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        child.kill("SIGKILL");
        await child.exited;
      }
      await endOrphans(dataFolder);
      await hub[Symbol.asyncDispose]();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
