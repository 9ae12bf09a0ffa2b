import { realpathSync } from "node:fs";
import type { IsolationProfile } from "@signalbox/api/constants";
import type { Isolation, IsolationPlan } from "@signalbox/host/isolation";
import { toRunEnd } from "@signalbox/host/launch";
import {
  type AgentProcess,
  agentEnvironment,
  CHECKPOINTS,
  RUN_MARKER,
  TODO_LIST,
  findAgent,
  type FoundAgent,
  startProcess,
  versionToStart,
} from "@signalbox/host/agents";

interface DialedAgentOptions {
  /** The program and its arguments, as a person typed them. */
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isolation?: Isolation;
  readonly profile?: IsolationProfile;
  readonly onStderr?: (piece: Buffer) => void;
  readonly graceMs?: number;
}

export interface DialedAgent {
  readonly process: AgentProcess;
  readonly about: { readonly folder: string; readonly agent: { path: string; version?: string } };
}

/** Starts a program that speaks the protocol on its pipes. Claude Code gets the options it needs for that. */
export async function startDialedAgent(options: DialedAgentOptions): Promise<DialedAgent> {
  const [name, ...given] = options.command;
  const folder = realpathSync(options.folder);
  const runId = crypto.randomUUID();
  const env = agentEnvironment(options.environment, {
    ...TODO_LIST,
    ...CHECKPOINTS,
    [RUN_MARKER]: runId,
  });
  const found = findAgent(name, env);
  const launch = { folder, ...(options.profile !== undefined && { isolation: options.profile }) };
  const isolation = await options.isolation?.plan(launch, folder, env);
  const version = await claudeCodeVersion(found, env, runId, isolation);
  const args = version === undefined ? given : addRequiredFlags(given);
  const process = await startProcess(found.path, {
    command: found.command,
    args: [...found.args, ...args],
    folder,
    env,
    runId,
    launch,
    ...(isolation && { isolation }),
    ...(options.onStderr && { onStderr: options.onStderr }),
    ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
  });
  const agent = { path: found.path, ...(version !== undefined && { version }) };
  return { process, about: { folder, agent } };
}

/** Undefined: it is another program, whose options are its own. */
async function claudeCodeVersion(
  found: FoundAgent,
  env: Record<string, string>,
  runId: string,
  isolation: IsolationPlan | undefined,
): Promise<string | undefined> {
  try {
    return (await versionToStart(found, env, runId, isolation)).version;
  } catch (failure) {
    if (toRunEnd(failure)?.kind === "not-claude-code") return undefined;
    isolation?.release();
    throw failure;
  }
}

/** Each with the other names it has. What was given stands. */
const requiredFlags: readonly (readonly [string, ...string[]])[] = [
  ["--print", "-p"],
  ["--output-format=stream-json"],
  ["--input-format=stream-json"],
  ["--verbose"],
  ["--permission-prompt-tool=stdio"],
  ["--include-partial-messages"],
  ["--replay-user-messages"],
];

export function addRequiredFlags(given: readonly string[]): string[] {
  const named = new Set(given.map((arg) => arg.split("=", 1)[0]));
  const missing = requiredFlags.filter((names) => {
    return !names.some((each) => named.has(each.split("=", 1)[0]));
  });
  return [...missing.map(([option]) => option), ...given];
}
