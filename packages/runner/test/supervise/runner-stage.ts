import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Launch,
  type OrderOf,
  type Runner,
  type RunnerOptions,
  startRunner,
  stdioDriver,
} from "@signalbox/runner";
import { fakeAgent } from "../driver/fake.ts";
import { FakeHub } from "../link/fake-hub.ts";

/** A hub, a runner that has dialled it, and a data folder. Whatever a test starts here ends with it. */
export async function openRunner(more: Partial<RunnerOptions> = {}) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-test-")));
  const dataFolder = join(place, "data");
  const hub = new FakeHub();
  const options: RunnerOptions = {
    hub: hub.url,
    token: hub.token,
    runner: "runner-1",
    dataFolder,
    own: true,
    inheritFrom: { PATH: process.env["PATH"], HOME: tmpdir() },
    drivers: (owner) => ({ stdio: stdioDriver({ owner, graceMs: 500 }) }),
    ...more,
  };
  const runners: Runner[] = [await startRunner(options)];
  return {
    hub,
    place,
    dataFolder,
    options,
    runner: runners[0] as Runner,
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

/** A start of the fake agent. */
export function startFake(
  session: string,
  how: string,
  more: Partial<Omit<OrderOf<"start">, "launch">> & { launch?: Partial<Launch> } = {},
): OrderOf<"start"> {
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
