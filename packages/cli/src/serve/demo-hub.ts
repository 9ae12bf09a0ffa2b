import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPrivateFolder } from "@signalbox/host/isolation";
import type { HubOptions, RunningHub } from "@signalbox/hub";
import { getLocalRunnerFolder } from "../hub/data-folder.ts";
import { stopLocalRunner } from "../hub/local-runner.ts";
import { openDemo } from "../run/demo.ts";
import { createDemoProject, readDemoScript } from "./demo-project.ts";
import { demoSessions } from "./demo-sessions.ts";

/** A hub to try out, with a scripted model and its own home and folders, which are deleted at the end. */
interface DemoHub extends AsyncDisposable {
  readonly data: string;
  readonly hub: Partial<HubOptions>;
  /** Configures the agent of the demo, and creates its sessions when the runner is connected. */
  start(hub: RunningHub, over: AbortSignal): Promise<void>;
  /** Stops the hub and its agents, because their model stops as well. */
  stop(hub: RunningHub, data: string): Promise<void>;
}

const PROFILE = "demo";
/** Claude Code offers the tools that keep a list of to-dos only when it is told to. */
const TODO_TOOLS = { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" };
/** How long the start of the runner may take on a busy machine. */
const RUNNER_STARTS_MS = 15_000;
const by = { device: "demo", name: "the demo", role: "admin" } as const;

export async function openDemoHub(): Promise<DemoHub> {
  const demo = await openDemo({ mayEdit: false, script: readDemoScript(), project: "importer" });
  // Agents that another hub has started before see nothing in this folder, whatever is made there later.
  const own = realpathSync(mkdtempSync(join(openPrivateFolder(), "demo-")));
  const { folder, agentPath, environment = {}, inheritFrom = {} } = demo.launch;
  createDemoProject(folder, demo.home);
  // The runner and the agents inherit the environment of this process, so the person's variables are removed.
  for (const name of Object.keys(process.env)) if (!(name in inheritFrom)) delete process.env[name];
  for (const [name, value] of Object.entries(inheritFrom)) {
    if (value !== undefined) process.env[name] = value; // it would become the text "undefined"
  }
  return {
    data: own,
    hub: { runnerWaitMs: 50 },
    async start({ engine }, over) {
      for (const remark of demo.remarks) console.log(remark);
      const variables = Object.entries({ ...environment, ...TODO_TOOLS }).map(
        ([name, value]) => [name, { value }] as const,
      );
      await engine.settings.setEnvironments({ [PROFILE]: Object.fromEntries(variables) }, by);
      const agent = { name: "claude-code", driver: "stdio", models: [], flags: [] };
      const path = agentPath === undefined ? {} : { path: agentPath };
      await engine.settings.setAgents([{ ...agent, ...path, environment: PROFILE }], by);
      const isReady = () => engine.runners.list().some(({ online }) => online);
      while (!over.aborted && !isReady()) await sleep(50);
      if (over.aborted || engine.sessions.list().length > 0) return;
      for (const { followUp, ...options } of demoSessions) {
        const id = crypto.randomUUID();
        await engine.sessions.create(id, { ...options, folder }, by);
        if (followUp) await engine.prompts.send(id, crypto.randomUUID(), followUp, by);
      }
    },
    async stop(hub, data) {
      await hub.stop();
      await stopLocalRunner(getLocalRunnerFolder(data), RUNNER_STARTS_MS);
      const keepsData = data !== own;
      console.error(
        keepsData
          ? `The demo has ended. Its sessions are kept in ${data}. The model and the folders that they used were deleted.`
          : "The demo has ended. Its data was deleted.",
      );
    },
    async [Symbol.asyncDispose]() {
      await demo[Symbol.asyncDispose]();
      rmSync(own, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
