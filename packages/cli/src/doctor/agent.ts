import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { toRunEnd } from "@signalbox/host/launch";
import { lookForAgent } from "@signalbox/host/agents";
import type { Isolation } from "@signalbox/host/isolation";
import type { Check } from "./check.ts";

/** Checks which Claude Code would run and whether it has been tested with this version. */
export async function checkAgent(
  named: string | undefined,
  environment: NodeJS.ProcessEnv,
  isolation: Isolation,
): Promise<Check> {
  const what = "Claude Code";
  try {
    const facts = await lookForAgent(named, environment, isolation);
    const { path, version, versionClass } = facts;
    const detail = `${version} at ${path} (${versionClass} with this version of Signalbox)`;
    if (versionClass === "tested") return { what, state: "ok", detail, facts: { ...facts } };
    const state = versionClass === "untested" ? "warning" : "problem";
    const remedy =
      versionClass === "untested"
        ? "It should work. Each session lists the features that are not available."
        : "Update Claude Code.";
    return { what, state, detail, remedy, facts: { ...facts } };
  } catch (failure) {
    const end = toRunEnd(failure);
    if (!end) throw failure;
    const remedy = "Install Claude Code, or specify its path with --agent.";
    return { what, state: "problem", detail: end.sentence, remedy };
  }
}

/** Variables that sign Claude Code in. Only whether they are set is checked. */
const credentialVariables = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

/** Checks whether Claude Code is signed in, as far as possible without reading a secret. */
export function checkLogin(environment: NodeJS.ProcessEnv): Check {
  const what = "signed in";
  const set = credentialVariables.filter((name) => environment[name]);
  if (set.length > 0) {
    const detail = `through environment variables: ${set.join(", ")}`;
    return { what, state: "ok", detail, facts: { by: set } };
  }
  const folder =
    environment["CLAUDE_CONFIG_DIR"] ?? join(environment["HOME"] ?? homedir(), ".claude");
  const file = join(folder, ".credentials.json");
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && (found.mode & 0o077) !== 0) {
    const remedy = `Run: chmod 600 ${file}`;
    return { what, state: "warning", detail: `${file} can be read by other users`, remedy };
  }
  if (found) {
    const detail = `credentials found in ${folder} (not read)`;
    return { what, state: "ok", detail, facts: { by: [file] } };
  }
  const remedy = "Run `claude` once and sign in, or use `signalbox serve --demo`.";
  if (process.platform === "darwin") {
    const detail = "no credentials found in files; they may be in the keychain, which is not read";
    return { what, state: "warning", detail, remedy };
  }
  return { what, state: "warning", detail: "no credentials found", remedy };
}
