import { errorMessage } from "@signalbox/protocol/text";
import { once } from "node:events";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { deadlineWhileAwake } from "../../system/awake.ts";
import type { AgentFacts } from "../../launch/driver.ts";
import { createLaunchError } from "../../launch/run-end.ts";
import { ProcessTree } from "./process-tree.ts";
import type { IsolationPlan } from "../../isolation/isolation.ts";
import type { FoundAgent } from "./find-agent.ts";
import { newProcessTag } from "./process-tag.ts";
import { spawnTagged } from "./spawn-tagged.ts";
import { Tail } from "./tail.ts";

/** Our tests drive exactly these. */
export const testedVersions: readonly string[] = ["2.1.7", "2.1.325"];
/** Every option and answer that we cannot do without is in it; what is older has not been looked at. */
export const oldestVersion = "2.1.0";

/** Seen to take 18 s on a machine with ten things to do at once. */
const VERSION_TIMEOUT_MS = 60_000;

type Version = readonly [major: number, minor: number, patch: number];

export function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(/[.-]/).map(Number);
  return [major, minor, patch];
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(than)];
  for (const i of [0, 1, 2] as const) if (a[i] !== b[i]) return a[i] < b[i];
  return false;
}

export function classifyVersion(version: string): AgentFacts["versionClass"] {
  if (testedVersions.includes(version)) return "tested";
  return isOlder(version, oldestVersion) ? "unsupported" : "untested";
}

/** The version of Claude Code that a program speaks as, and its name where it is another program. */
interface ReportedVersion {
  readonly version: string;
  readonly speaker?: string;
}

/**
 * What is about to be started. A script in its package of npm's is that package's version: to ask it
 * would cost half of what its start does.
 */
export async function versionToStart(
  agent: FoundAgent,
  env: Record<string, string>,
  runId: string,
  isolation?: IsolationPlan,
): Promise<ReportedVersion> {
  const version = publishedVersion(agent.path);
  if (version !== undefined) return { version };
  return readVersion(agent, env, runId, VERSION_TIMEOUT_MS, isolation);
}

/** Asks the program itself, every time: behind a shim another version may be in force by now. */
export async function readVersion(
  agent: FoundAgent,
  env: Record<string, string>,
  runId: string,
  timeoutMs = VERSION_TIMEOUT_MS,
  isolation?: IsolationPlan,
): Promise<ReportedVersion> {
  const versionOutput = await runVersionCommand(agent, env, runId, timeoutMs, isolation).catch(
    (failure: unknown) => {
      const { path } = agent;
      const why = errorMessage(failure);
      if (!isResourceError(failure)) throw createLaunchError("not-claude-code", { path, why });
      const scarce = `the machine has too little left for another process (${why}). Try again when there is more`;
      throw createLaunchError("not-started", { path, why: scarce });
    },
  );
  const [, version, speaker] = VERSION_LINE.exec(versionOutput) ?? [];
  if (version !== undefined) return { version, ...(speaker !== undefined && { speaker }) };
  const line = firstLine(versionOutput);
  const why = line === "" ? "`--version` printed nothing" : `\`--version\` printed "${line}"`;
  throw createLaunchError("not-claude-code", { path: agent.path, why });
}

/** Up to 2.1.112 Claude Code was a script, `cli.js`, in a package that holds nothing else to run. */
function publishedVersion(path: string): string | undefined {
  try {
    const script = realpathSync(path);
    if (!script.endsWith("/cli.js")) return undefined;
    const { name, version } = JSON.parse(
      readFileSync(join(script, "..", "package.json"), "utf8"),
    ) as Record<string, unknown>;
    const isOurs = name === "@anthropic-ai/claude-code" && typeof version === "string";
    return isOurs && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined;
  } catch {
    return undefined; // it lies elsewhere: then it is asked
  }
}

const VERSION_LINE = /^(\d+\.\d+\.\d+[\w.-]*) \(Claude Code\)(?:, spoken by (.+))?/m;

const resourceErrors = new Set(["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"]);

/** Says nothing about the program: the system had no process, memory or descriptor for it. */
function isResourceError(failure: unknown): boolean {
  const { code } = failure as { readonly code?: string };
  return code !== undefined && resourceErrors.has(code);
}

async function runVersionCommand(
  agent: FoundAgent,
  ownEnvironment: Record<string, string>,
  runId: string,
  timeoutMs: number,
  isolation: IsolationPlan | undefined,
): Promise<string> {
  const asked = {
    command: agent.command,
    args: [...agent.args, "--version"],
    env: ownEnvironment,
  };
  const { command, args, env } = isolation?.wrap(asked) ?? asked;
  const tag = newProcessTag();
  const child = await spawnTagged(command, args, { env }, tag);
  const [stdoutTail, wailed] = [new Tail(64 * 1024), new Tail(64 * 1024)];
  child.stdout.on("data", (piece: Buffer) => stdoutTail.push(piece));
  child.stderr.on("data", (piece: Buffer) => wailed.push(piece));
  child.stdin.on("error", () => {}).end();
  const late = deadlineWhileAwake(timeoutMs);
  try {
    const [code] = (await once(child, "close", { signal: late.signal })) as [number | null];
    if (code === 0) return stdoutTail.text;
    const words = firstLine(wailed.text);
    throw new Error(
      `\`--version\` failed${words === "" ? ` with exit code ${code}` : ` with "${words}"`}`,
    );
  } catch (failure) {
    if (!late.signal.aborted) throw failure;
    throw new Error(`\`--version\` did not answer within ${timeoutMs / 1000} s`, {
      cause: failure,
    });
  } finally {
    late.settle();
    if (child.pid !== undefined && child.exitCode === null)
      await new ProcessTree({ leader: child.pid, runId, tag }).kill();
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}
