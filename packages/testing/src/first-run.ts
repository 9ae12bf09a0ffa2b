import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The keys that stages give to agents. */
const KEYS = ["dummy-key-for-tests", "dummy"];

/**
 * Answers what Claude Code asks when its terminal UI is started for the first time, in a home and a
 * folder of a test: it has been set up, the key may be used, and the folder is trusted.
 */
export function acceptFirstRun(home: string, folder: string): void {
  const file = join(home, ".claude.json");
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  const state = {
    ...known,
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: KEYS.map((key) => key.slice(-20)) },
    projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(file, JSON.stringify(state));
}
