import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HubOptions, RunningHub } from "@signalbox/hub";
import { getLocalRunnerFolder } from "../hub/data-folder.ts";
import { stopLocalRunner } from "../hub/local-runner.ts";
import { openDemo } from "../run/demo.ts";

/** A hub to try out: a scripted model, and a home and folders of its own, thrown away at its end. */
interface DemoHub extends AsyncDisposable {
  readonly data: string;
  readonly hub: Partial<HubOptions>;
  /** Names the demo's agent, and begins a first session once there is a runner. */
  start(hub: RunningHub, over: AbortSignal): Promise<void>;
  /** Ends the hub with its agents: their model goes with it. */
  stop(hub: RunningHub, data: string): Promise<void>;
}

const PROFILE = "demo";
/** The hub starts its runner at once; on a busy machine that takes a while. */
const RUNNER_STARTS_MS = 15_000;
const by = { device: "demo", name: "the demo", role: "admin" } as const;

export async function openDemoHub(): Promise<DemoHub> {
  const demo = await openDemo({ mayEdit: false });
  const own = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-demo-data-")));
  const { folder, agentPath, environment = {}, inheritFrom = {} } = demo.launch;
  // The runner, and so the agents, get this process's environment: nothing of the person's stays in it.
  for (const name of Object.keys(process.env)) if (!(name in inheritFrom)) delete process.env[name];
  Object.assign(process.env, inheritFrom);
  return {
    data: own,
    hub: { runnerWaitMs: 50 },
    async start({ engine }, over) {
      const variables = Object.entries(environment).map(
        ([name, value]) => [name, { value }] as const,
      );
      await engine.settings.setEnvironments({ [PROFILE]: Object.fromEntries(variables) }, by);
      const agent = { name: "claude-code", driver: "stdio", models: [], flags: [] };
      const path = agentPath === undefined ? {} : { path: agentPath };
      await engine.settings.setAgents([{ ...agent, ...path, environment: PROFILE }], by);
      const isReady = () => engine.runners.list().some(({ online }) => online);
      while (!over.aborted && !isReady()) await sleep(50);
      if (over.aborted || engine.sessions.list().length > 0) return;
      const prompt = { text: "Show me what you can do." };
      await engine.sessions.create(
        crypto.randomUUID(),
        { folder, title: "A first look", prompt },
        by,
      );
    },
    async stop(hub, data) {
      await hub.stop();
      await stopLocalRunner(getLocalRunnerFolder(data), RUNNER_STARTS_MS);
      const kept = data !== own;
      console.error(
        kept
          ? `The demo is over. Its sessions are kept in ${data}; the model, the home and the folder they worked with are gone.`
          : "The demo is over, and what it made is gone.",
      );
    },
    async [Symbol.asyncDispose]() {
      await demo[Symbol.asyncDispose]();
      rmSync(own, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
