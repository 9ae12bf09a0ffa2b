import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The key that stages give to agents. */
const KEY = "dummy-key-for-tests";

/**
 * Answers what Claude Code asks when its terminal UI is started for the first time, in a home and a
 * folder of a test: it has been set up, the key may be used, and the folder is trusted.
 */
export function acceptFirstRun(home: string, folder: string): void {
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [KEY.slice(-20)] },
    projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(state));
}
