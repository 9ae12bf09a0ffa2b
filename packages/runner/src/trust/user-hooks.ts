import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const MANAGED = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"];

/** Whether the settings of the user or of an administrator may contain hooks for calls. */
export function hasUserHooks(env: Readonly<Record<string, string | undefined>>): boolean {
  const config = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
  if (MANAGED.some((folder) => existsSync(folder))) return true;
  try {
    const text = readFileSync(join(config, "settings.json"), "utf8");
    return /PreToolUse|PermissionRequest|enabledPlugins/.test(text);
  } catch {
    return false; // there are no settings
  }
}
