import { realpathSync, statSync } from "node:fs";
import { failureText } from "@signalbox/protocol";
import type { AgentFacts, Capabilities, Driver, Run } from "../driver.ts";
import type { Launch } from "../launch.ts";
import { launchFailed } from "../run-end.ts";
import { AgentProcess, type ProcessSetting } from "./agent-process.ts";
import { agentEnvironment, RUN_MARKER } from "./environment.ts";
import { findAgent } from "./find-agent.ts";
import { answeredRequests } from "./known-requests.ts";
import { commandLine } from "./options.ts";
import { classOf, oldestVersion, readVersion } from "./version.ts";

const capabilities: Capabilities = {
  streaming: true,
  permissions: true,
  resume: true,
  fork: true,
  images: true,
  subagents: true,
  rewind: true,
  steering: true,
};

export interface StdioOptions extends Pick<ProcessSetting, "graceMs" | "lineLimit"> {
  /** Who runs the agents: goes into the marker that all their processes carry. */
  readonly owner?: string;
}

/** Runs Claude Code as a process of ours and talks to it over its stdin and stdout. */
export function stdioDriver(options: StdioOptions = {}): Driver {
  return { name: "stdio", capabilities, start: (launch) => start(launch, options) };
}

async function start(launch: Launch, options: StdioOptions): Promise<Run> {
  const folder = realFolder(launch.folder); // first: a missing one looks like a missing program
  const runId = [crypto.randomUUID(), ...(options.owner === undefined ? [] : [options.owner])].join(
    "/",
  );
  const env = runEnvironment(launch, runId);
  const found = findAgent(launch.agentPath, env);
  const version = await readVersion(found, env, runId);
  const agent: AgentFacts = { path: found.path, version, versionClass: classOf(version) };
  if (agent.versionClass === "unsupported" && launch.allowUnsupported !== true) {
    throw launchFailed("unsupported", { path: found.path, version, oldest: oldestVersion });
  }
  const { args, leftOut } = commandLine(launch, version);
  const { command } = found;
  const running = await begin(found.path, {
    ...options,
    command,
    args: [...found.args, ...args],
    folder,
    env,
    runId,
    launch,
  });
  const { incoming, closed, send, close, pid } = running;
  const answers = answeredRequests(version);
  return {
    driver: "stdio",
    capabilities: {
      ...capabilities,
      streaming: launch.partialMessages !== false,
      rewind: launch.fileCheckpoints !== false,
    },
    agent,
    leftOut,
    folder,
    ...(answers && { answers }),
    ...(pid !== undefined && { pid }),
    incoming,
    closed,
    send,
    close,
    get stderr() {
      return running.stderr;
    },
    [Symbol.asyncDispose]: close,
  };
}

async function begin(path: string, setting: ProcessSetting): Promise<AgentProcess> {
  try {
    return await AgentProcess.start(setting);
  } catch (cause) {
    throw launchFailed("not-started", { path, why: failureText(cause) }, { cause });
  }
}

function runEnvironment(launch: Launch, runId: string): Record<string, string> {
  const env = agentEnvironment(launch.inheritFrom ?? process.env, {
    ...(launch.fileCheckpoints !== false && { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" }),
    ...launch.environment,
    [RUN_MARKER]: runId,
  });
  for (const [name, value] of Object.entries(env)) {
    if (!`${name}${value}`.includes("\0")) continue;
    throw launchFailed("bad-launch", { field: `environment.${name}`, why: "it holds a NUL byte" });
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
    throw launchFailed("folder-unusable", { folder, why });
  }
  throw launchFailed("folder-unusable", { folder, why: "it is not a folder" });
}
