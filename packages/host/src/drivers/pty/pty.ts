import { requireBun } from "../../system/require-bun.ts";
import type { Capabilities, Driver, Run } from "../../launch/driver.ts";
import type { Launch } from "../../launch/launch.ts";
import { createLaunchError } from "../../launch/run-end.ts";
import { claudeCodeCapabilities, prepare } from "../stdio/prepare.ts";
import type { StdioOptions } from "../stdio/stdio.ts";
import { HookChannel } from "./hook-channel.ts";
import { TerminalAgent } from "./terminal-agent.ts";

const capabilities: Capabilities = {
  ...claudeCodeCapabilities,
  streaming: false, // the transcript has whole blocks
  images: false,
  rewind: false,
  stopTasks: false,
  terminal: true,
};

/**
 * Runs Claude Code in its own terminal UI, on a pseudo-terminal of ours. What is said there is read
 * from its transcript, messages are typed, and its requests come through hooks of the run.
 */
export function ptyDriver(options: StdioOptions = {}): Driver {
  return {
    name: "pty",
    title: "Claude Code in its own terminal",
    capabilities,
    start: (launch) => start(launch, options),
  };
}

async function start(wanted: Launch, options: StdioOptions): Promise<Run> {
  requireBun("The driver pty");
  if (wanted.continue === true) {
    const why = "in the terminal only a conversation that is named can be taken up again";
    throw createLaunchError("bad-launch", { field: "continue", why });
  }
  let agent: TerminalAgent | undefined;
  const channel = await HookChannel.open(
    (input, signal) => agent?.onHook(input, signal) ?? Promise.resolve({}),
  );
  try {
    const { work } = channel;
    const launch = { ...wanted, permissionMode: wanted.permissionMode ?? "default" };
    const prepared = await prepare(launch, { ...options, work });
    agent = new TerminalAgent(prepared, channel, capabilities, options);
    return agent;
  } catch (failure) {
    channel[Symbol.dispose]();
    throw failure;
  }
}
