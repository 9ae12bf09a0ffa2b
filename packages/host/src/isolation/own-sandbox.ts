import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "@signalbox/protocol/wire";
import type { Launch } from "../launch/launch.ts";
import { readRegularFile } from "../system/read-regular-file.ts";

export const OWN_SANDBOX_FAILS =
  "Claude Code's own sandbox (`sandbox.enabled` in its settings) cannot start inside the isolation while Signalbox runs as root, so its commands fail with \"Can't mount proc\". Run Signalbox as an ordinary user, turn that sandbox off, or let an approver turn the session's isolation off.";

/** Whether any settings that this agent may read turn on Claude Code's own sandbox. */
export function wantsOwnSandbox(
  launch: Launch,
  folder: string,
  env: Readonly<Record<string, string>>,
): boolean {
  const config = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
  const { settings } = launch;
  const files = [
    "/etc/claude-code/managed-settings.json",
    join(config, "settings.json"),
    join(folder, ".claude/settings.json"),
    join(folder, ".claude/settings.local.json"),
    ...(typeof settings === "string" && !settings.trimStart().startsWith("{") ? [settings] : []),
  ];
  const given = typeof settings === "string" ? parse(settings) : settings;
  return [given, ...files.map(readSettings)].some(enablesSandbox);
}

function enablesSandbox(settings: unknown): boolean {
  if (!isObject(settings)) return false;
  const { sandbox } = settings;
  return isObject(sandbox) && sandbox["enabled"] === true;
}

function readSettings(file: string): unknown {
  try {
    return parse(readRegularFile(file));
  } catch {
    return undefined; // there is no readable file
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
