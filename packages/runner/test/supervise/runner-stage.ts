import type { LaunchOptions } from "@signalbox/api";
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrderOfKind } from "@signalbox/api/link";
import { stdioDriver } from "@signalbox/host";
import { type Runner, type RunnerOptions, startRunner } from "@signalbox/runner";
import { fakeAgent } from "@signalbox/testing/fake-agent";
import { FakeHub } from "../link/fake-hub.ts";

/** A hub, a runner that has dialled it, and a data folder. Whatever a test starts here ends with it. */
export async function openRunner(more: Partial<RunnerOptions> = {}) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-test-")));
  const dataFolder = join(place, "data");
  const spillFolder = join(dataFolder, "spill");
  const hub = new FakeHub();
  const options: RunnerOptions = {
    hub: hub.proving.find(hub.url),
    key: hub.proving.key,
    verifyDecisions: false,
    runner: "runner-1",
    dataFolder,
    own: true,
    inheritFrom: { PATH: process.env["PATH"], HOME: tmpdir() },
    drivers: ({ owner }) => [stdioDriver({ owner, graceMs: 500 })],
    ...more,
  };
  const runners: Runner[] = [await startRunner(options)];
  return {
    hub,
    place,
    dataFolder,
    options,
    runner: runners[0] as Runner,
    spillFolder,
    spilledBytes: () => {
      const files = readdirSync(spillFolder).map((name) => join(spillFolder, name));
      return files.reduce((sum, file) => sum + getFileSize(file), 0);
    },
    /** Another one in the same folder. */
    async again(changed: Partial<RunnerOptions> = {}) {
      const runner = await startRunner({ ...options, ...changed });
      runners.push(runner);
      return runner;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await hub[Symbol.asyncDispose]();
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function getFileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** A start of the fake agent. */
export function startFake(
  session: string,
  how: string,
  more: Partial<Omit<OrderOfKind<"start">, "launch">> & { launch?: Partial<LaunchOptions> } = {},
): OrderOfKind<"start"> {
  return {
    kind: "start",
    session,
    run: `run-of-${session}`,
    after: 0,
    driver: "stdio",
    policy: "default",
    status: "new",
    ...more,
    launch: {
      folder: tmpdir(),
      agentPath: fakeAgent,
      ...more.launch,
      environment: { FAKE: how, ...more.launch?.environment },
    },
  };
}

/** A prompt that tells the fake agent what to do. */
export function obey(session: string, what: object): OrderOfKind<"prompt"> {
  return {
    kind: "prompt",
    session,
    run: `run-of-${session}`,
    uuid: crypto.randomUUID(),
    text: JSON.stringify(what),
    images: [],
  };
}
