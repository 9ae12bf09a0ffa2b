import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readRegularFile } from "@signalbox/host/system";
import { isObject } from "@signalbox/protocol/wire";

const MANAGED = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"];
/** The hooks that may allow or rewrite a call. Plugins can bring such hooks. */
const events = ["PreToolUse", "PermissionRequest"];

/**
 * Whether the settings of the user or of an administrator may contain hooks for calls. Settings that cannot be
 * read may contain anything.
 */
export function hasUserHooks(env: Readonly<Record<string, string | undefined>>): boolean {
  if (MANAGED.some((folder) => existsSync(folder))) return true;
  const config = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
  try {
    return containsHooks(JSON.parse(readRegularFile(join(config, "settings.json"))));
  } catch (failure) {
    const isMissing = failure instanceof Error && "code" in failure && failure.code === "ENOENT";
    return !isMissing;
  }
}

function containsHooks(settings: unknown): boolean {
  if (!isObject(settings)) return true;
  const { hooks, enabledPlugins } = settings;
  if (enabledPlugins !== undefined) return true;
  if (hooks === undefined) return false;
  return !isObject(hooks) || events.some((event) => Object.hasOwn(hooks, event));
}
