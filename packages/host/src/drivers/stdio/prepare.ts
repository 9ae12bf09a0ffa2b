import { realpathSync, statSync } from "node:fs";
import type { AgentFacts, Capabilities } from "../../launch/driver.ts";
import type { Isolation, IsolationPlan, WorkFolder } from "../../isolation/isolation.ts";
import type { Launch } from "../../launch/launch.ts";
import { createLaunchError } from "../../launch/run-end.ts";
import { agentEnvironment, CHECKPOINTS, RUN_MARKER, TODO_LIST } from "./environment.ts";
import { findAgent, type FoundAgent } from "./find-agent.ts";
import { stopsTasks } from "./known-requests.ts";
import { classifyVersion, oldestVersion, versionToStart } from "./version.ts";

/** What Claude Code can do, whichever way one talks to it. */
export const claudeCodeCapabilities: Capabilities = {
  streaming: true,
  permissions: true,
  resume: true,
  fork: true,
  images: true,
  subagents: true,
  rewind: true,
  steering: true,
  stopTasks: true,
};

/** …as it is launched, and in that version. */
export function getCapabilities(launch: Launch, version: string): Capabilities {
  return {
    ...claudeCodeCapabilities,
    streaming: launch.partialMessages !== false,
    rewind: launch.fileCheckpoints !== false,
    stopTasks: stopsTasks(version),
  };
}

/** All that has to be known before a program of ours is started, whatever starts it. */
export interface Prepared {
  /** The launch as it was reviewed last. */
  readonly launch: Launch;
  /** As it really is (no links). */
  readonly folder: string;
  /** Goes into the marker that all processes of the run carry. */
  readonly runId: string;
  readonly env: Record<string, string>;
  readonly found: FoundAgent;
  readonly agent: AgentFacts;
  /** Not another program that speaks as that version. */
  readonly isClaudeCode: boolean;
  /** How its processes are started; undefined: as they are. */
  readonly isolation?: IsolationPlan;
}

interface PrepareOptions {
  readonly owner?: string;
  readonly isolation?: Isolation;
  /** A folder of ours that the agent needs, and where it is inside of the isolation. */
  readonly work?: WorkFolder;
}

/** Finds the folder, the program and its version, or rejects with `LAUNCH_FAILED` and the reason. */
export async function prepare(
  launch: Launch,
  { owner, isolation: isolate, work }: PrepareOptions,
): Promise<Prepared> {
  const folder = realFolder(launch.folder); // first: a missing one looks like a missing program
  const runId = [crypto.randomUUID(), ...(owner === undefined ? [] : [owner])].join("/");
  const early = runEnvironment(launch, runId);
  const found = findAgent(launch.agentPath, early);
  const isolation = await isolate?.plan(launch, folder, early, work);
  const { version, speaker } = await versionToStart(found, early, runId, isolation).catch(
    (failure: unknown) => {
      isolation?.release();
      throw failure;
    },
  );
  const agent: AgentFacts = { path: found.path, version, versionClass: classifyVersion(version) };
  if (agent.versionClass === "unsupported" && launch.allowUnsupported !== true) {
    isolation?.release();
    throw createLaunchError("unsupported", { path: found.path, version, oldest: oldestVersion });
  }
  const isClaudeCode = speaker === undefined;
  const reviewed = launch.review?.(launch, folder) ?? launch;
  const env = reviewed === launch ? early : runEnvironment(reviewed, runId);
  const facts = { launch: reviewed, folder, runId, env, found, agent, isClaudeCode };
  return { ...facts, ...(isolation && { isolation }) };
}

function runEnvironment(launch: Launch, runId: string): Record<string, string> {
  const env = agentEnvironment(launch.inheritFrom ?? process.env, {
    ...TODO_LIST,
    ...(launch.fileCheckpoints !== false && CHECKPOINTS),
    ...launch.environment,
    [RUN_MARKER]: runId,
  });
  for (const [name, value] of Object.entries(env)) {
    if (!`${name}${value}`.includes("\0")) continue;
    throw createLaunchError("bad-launch", {
      field: `environment.${name}`,
      why: "it holds a NUL byte",
    });
  }
  return env;
}

function realFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    const missing = code === "ENOENT" || code === "ENOTDIR";
    const why = missing ? "it does not exist" : `the system says ${code ?? String(failure)}`;
    throw createLaunchError("folder-unusable", { folder, why });
  }
  throw createLaunchError("folder-unusable", { folder, why: "it is not a folder" });
}
