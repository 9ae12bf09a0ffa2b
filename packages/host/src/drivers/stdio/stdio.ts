import { errorMessage } from "@signalbox/protocol/text";
import type { Isolation } from "../../isolation/isolation.ts";
import type { Driver, Run } from "../../launch/driver.ts";
import type { Launch } from "../../launch/launch.ts";
import { getCapabilities, claudeCodeCapabilities, prepare } from "./prepare.ts";
import { createLaunchError } from "../../launch/run-end.ts";
import { AgentProcess, type ProcessOptions } from "./agent-process.ts";
import { listSupportedRequests } from "./known-requests.ts";
import { commandLine } from "./options.ts";

export interface StdioOptions extends Pick<ProcessOptions, "graceMs" | "lineLimit"> {
  /** Who runs the agents: goes into the marker that all their processes carry. */
  readonly owner?: string;
  /** Keeps the agents away from what they must not see; without it they start as they are. */
  readonly isolation?: Isolation;
}

/** Runs Claude Code as a process of ours and talks to it over its stdin and stdout. */
export function stdioDriver(options: StdioOptions = {}): Driver {
  return {
    name: "stdio",
    title: "Claude Code on its pipes",
    capabilities: claudeCodeCapabilities,
    start: (launch) => start(launch, options),
  };
}

async function start(wanted: Launch, options: StdioOptions): Promise<Run> {
  const { launch, folder, runId, env, found, agent, isolation } = await prepare(wanted, options);
  const { args, unsupportedOptions } = commandLine(launch, agent.version);
  const { command } = found;
  const running = await startProcess(found.path, {
    ...processOptions(options),
    ...(isolation && { isolation }),
    command,
    args: [...found.args, ...args],
    folder,
    env,
    runId,
    launch,
  });
  const { incoming, closed, send, close, pid } = running;
  const supportedRequests = listSupportedRequests(agent.version);
  return {
    driver: "stdio",
    capabilities: getCapabilities(launch, agent.version),
    agent,
    unsupportedOptions,
    ...(isolation && { isolation: isolation.state }),
    folder,
    ...(supportedRequests && { supportedRequests }),
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

/** What of a driver's options concerns each of its processes. */
export function processOptions({ graceMs, lineLimit }: StdioOptions) {
  return {
    ...(graceMs !== undefined && { graceMs }),
    ...(lineLimit !== undefined && { lineLimit }),
  };
}

/** Starts the process, or rejects with `LAUNCH_FAILED` and what kept it from existing. */
export async function startProcess(path: string, setting: ProcessOptions): Promise<AgentProcess> {
  try {
    return await AgentProcess.start(setting);
  } catch (cause) {
    setting.isolation?.release();
    throw createLaunchError("not-started", { path, why: errorMessage(cause) }, { cause });
  }
}
