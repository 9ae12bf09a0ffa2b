import { SignalboxError } from "@signalbox/protocol";
import { requireBun } from "../../system/require-bun.ts";
import type { Driver, Run } from "../../launch/driver.ts";
import type { Launch } from "../../launch/launch.ts";
import { getCapabilities, claudeCodeCapabilities, prepare } from "../stdio/prepare.ts";
import { createLaunchError, type RunEnd } from "../../launch/run-end.ts";
import type { AgentProcess } from "../stdio/agent-process.ts";
import { listSupportedRequests } from "../stdio/known-requests.ts";
import { commandLine } from "../stdio/options.ts";
import { startProcess, processOptions, type StdioOptions } from "../stdio/stdio.ts";
import { isOlder } from "../stdio/version.ts";
import { AgentListener } from "./agent-listener.ts";

/** From here on the program accepts Anthropic's own endpoints alone, and exits before it connects. */
const REFUSED_SINCE = "2.1.121";
const LOST =
  "The connection to the agent was interrupted, and what it printed in the meantime is lost, because this version does not repeat it.";
/** An agent that has left has said its last words already, and they are on loopback. */
const LAST_FRAMES_MS = 100;

/**
 * Runs a Claude Code that connects by itself (`--sdk-url`), as front ends of its early days had it, or
 * another program that does. The socket it connects to belongs to the run, here in the runner, so that a hub may come and go.
 */
export function sdkUrlDriver(options: StdioOptions = {}): Driver {
  return {
    name: "sdk-url",
    title: "Claude Code that connects by itself (up to 2.1.120)",
    capabilities: claudeCodeCapabilities,
    start: (launch) => start(launch, options),
  };
}

async function start(wanted: Launch, options: StdioOptions): Promise<Run> {
  requireBun("The driver sdk-url");
  const prepared = await prepare(wanted, options);
  const { launch, folder, runId, env, found, agent, isClaudeCode, isolation } = prepared;
  const { path } = found;
  if (isolation?.state.profile === "no-network") {
    isolation.release();
    const why = "its agent connects to the runner; use the driver stdio or sdk";
    throw createLaunchError("isolation-unavailable", { profile: "no-network", why });
  }
  if (isClaudeCode && !isOlder(agent.version, REFUSED_SINCE)) {
    throw createLaunchError("sdk-url-refused", { path, version: agent.version });
  }
  const { args, unsupportedOptions } = commandLine(launch, agent.version);
  const door = new AgentListener(() => run?.onRemark?.(LOST));
  let run: Run | undefined;
  const process = await startProcess(path, {
    ...processOptions(options),
    ...(isolation && { isolation }),
    command: found.command,
    args: [...found.args, `--sdk-url=${door.url}`, ...args],
    folder,
    env: { ...env, CLAUDE_CODE_SESSION_ACCESS_TOKEN: door.secret },
    runId,
    launch,
    readsInput: false,
  }).catch(async (failure: unknown) => {
    await door.close();
    throw failure;
  });
  void drain(process);
  const closed = ended(process, door);
  const send = async (line: string) => {
    if (over) throw new SignalboxError("CONNECTION_CLOSED", { reason: over });
    await door.send(line);
  };
  let over: RunEnd | undefined;
  void closed.then((end) => (over = end));
  const supportedRequests = listSupportedRequests(agent.version);
  run = {
    driver: "sdk-url",
    capabilities: getCapabilities(launch, agent.version),
    agent,
    unsupportedOptions,
    ...(isolation && { isolation: isolation.state }),
    folder,
    ...(supportedRequests && { supportedRequests }),
    ...(process.pid !== undefined && { pid: process.pid }),
    incoming: { [Symbol.asyncIterator]: () => door.incoming() },
    closed,
    send,
    close: process.close,
    get stderr() {
      return process.stderr;
    },
    [Symbol.asyncDispose]: process.close,
  };
  return run;
}

/** Nothing of the conversation comes this way; what is printed tells what an exit means. */
async function drain(process: AgentProcess): Promise<void> {
  for await (const _ of process.incoming);
}

async function ended(process: AgentProcess, door: AgentListener): Promise<RunEnd> {
  const end = await process.closed;
  await Bun.sleep(LAST_FRAMES_MS);
  await door.close();
  return end;
}
