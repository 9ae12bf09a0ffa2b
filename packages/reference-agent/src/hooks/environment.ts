import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { CLAUDE_CODE_VERSION } from "@signalbox/agent";
import { getEffort } from "../model/effort.ts";
import type { Session } from "../session.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of hooks and commands: the host's, that of the settings, and the folders. */
function childEnvironment(session: Session, who: "agent" | "harness"): Environment {
  const { context, settings } = session;
  // This variable is only meant for the host and the agent.
  const { CLAUDE_CODE_SDK_READS_SESSION_STATE: _, ...environment } = context.environment;
  return {
    ...environment,
    COREPACK_ENABLE_AUTO_PIN: "0", // Looking something up must not write into package.json.
    ...settings.environment,
    AI_AGENT: `claude-code_${CLAUDE_CODE_VERSION.replaceAll(".", "-")}_${who}`,
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_CODE_SESSION_ATTENDED: context.options.print ? "0" : "1",
    CLAUDE_CODE_SESSION_ID: context.sessionId,
    CLAUDE_PID: String(process.pid),
  };
}

export function commandEnvironment(session: Session): Environment {
  const effort = getEffort(session);
  return {
    ...childEnvironment(session, "agent"),
    GIT_EDITOR: "true",
    ...(effort ? { CLAUDE_EFFORT: effort } : {}),
  };
}

/** Hooks of these events may set variables for later commands. */
const lasting = new Set(["SessionStart", "Setup", "CwdChanged", "FileChanged"]);

/** Builds the environment of a hook. `input` is the rest of what the hook is told. */
export function hookEnvironment(session: Session, event: string, input: JsonObject): Environment {
  const { effort } = input;
  return {
    ...childEnvironment(session, "harness"),
    ...(isObject(effort) ? { CLAUDE_EFFORT: String(effort["level"]) } : {}),
    CLAUDE_PROJECT_DIR: session.context.folder,
    ...(lasting.has(event) ? { CLAUDE_ENV_FILE: envFile(session, event) } : {}),
  };
}

let files = 0;

/** Returns a separate file for each hook, because hooks run in parallel. */
function envFile(session: Session, event: string): string {
  const folder = getFolder(session);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${String(files++).padStart(6, "0")}-${event}.sh`);
}

const getFolder = ({ ownFolder }: Session): string => join(ownFolder, "session-env");

/**
 * Returns the shell lines that hooks left for every command, in the order in which the hooks
 * started.
 */
export function linesOfHooks(session: Session): string {
  try {
    const folder = getFolder(session);
    const lines = readdirSync(folder)
      .toSorted()
      .map((name) => readFileSync(join(folder, name), "utf8"));
    return lines.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
  } catch {
    return ""; // There was no such hook.
  }
}

/** Removes the lines that hooks left for a folder after the shell has left it. */
export function forgetFolderLines(session: Session): void {
  const folder = getFolder(session);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one.endsWith("-CwdChanged.sh"))) {
    rmSync(join(folder, name), { force: true });
  }
}
