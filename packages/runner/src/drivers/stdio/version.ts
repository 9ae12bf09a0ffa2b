import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import type { AgentFacts } from "../driver.ts";
import { launchFailed } from "../run-end.ts";
import type { FoundAgent } from "./find-agent.ts";

/** Our tests drive exactly these. */
export const testedVersions: readonly string[] = ["2.1.7", "2.1.325"];
/** Every option and answer that we cannot do without is in it; what is older has not been looked at. */
export const oldestVersion = "2.1.0";

const VERSION_TIMEOUT_MS = 15_000;

export type Version = readonly [major: number, minor: number, patch: number];

export function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(/[.-]/).map(Number);
  return [major, minor, patch];
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(than)];
  for (const i of [0, 1, 2] as const) if (a[i] !== b[i]) return a[i] < b[i];
  return false;
}

export function classOf(version: string): AgentFacts["versionClass"] {
  if (testedVersions.includes(version)) return "tested";
  return isOlder(version, oldestVersion) ? "unsupported" : "untested";
}

const known = new Map<string, string>();

/** Asks the program for its version; remembered for as long as the file stays the same. */
export async function readVersion(
  agent: FoundAgent,
  env: Record<string, string>,
  timeoutMs = VERSION_TIMEOUT_MS,
): Promise<string> {
  const { mtimeMs, size } = statSync(agent.path);
  const key = `${agent.path}\n${mtimeMs}\n${size}`;
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const said = await sayVersion(agent, env, timeoutMs);
  const version = /^(\d+\.\d+\.\d+[\w.-]*) \(Claude Code\)/m.exec(said)?.[1];
  if (version === undefined) {
    const line = said.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
    const why = line === "" ? "`--version` printed nothing" : `\`--version\` printed "${line}"`;
    throw launchFailed("not-claude-code", { path: agent.path, why });
  }
  known.set(key, version);
  return version;
}

function sayVersion(
  agent: FoundAgent,
  env: Record<string, string>,
  timeoutMs: number,
): Promise<string> {
  const args = [...agent.args, "--version"];
  const options = { env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 1 << 20 } as const;
  return new Promise((resolve, reject) => {
    execFile(agent.command, args, options, (failure, stdout, stderr) => {
      if (!failure) return resolve(stdout);
      const said = stderr.trim().split("\n", 1)[0]?.slice(0, 200);
      const why = failure.killed
        ? `\`--version\` did not answer within ${timeoutMs / 1000} s`
        : `\`--version\` failed${said ? ` with "${said}"` : ` (${failure.code ?? failure.signal})`}`;
      reject(launchFailed("not-claude-code", { path: agent.path, why }, { cause: failure }));
    }).stdin?.end();
  });
}
