import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Claude Code stores its data. */
export function configFolder(environment: Environment): string {
  return environment["CLAUDE_CONFIG_DIR"] ?? join(environment["HOME"] ?? homedir(), ".claude");
}

/** The folder of all sessions that ran in a working folder. */
export function getProjectFolder(environment: Environment, folder: string): string {
  return join(configFolder(environment), "projects", folder.replaceAll(/[^a-zA-Z0-9]/g, "-"));
}
