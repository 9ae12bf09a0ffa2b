import { Keyboard } from "../terminal/keyboard.ts";
import { UsageError } from "../usage-error.ts";

const QUESTION =
  "With the policy autonomous, the agent runs anything as you without asking. Continue? (y/N) > ";

/** Asks the person for confirmation, unless `--yes-autonomous` is set. Returns false if they decline. */
export async function confirmAutonomous(policy: string, yes: boolean): Promise<boolean> {
  if (policy !== "autonomous" || yes) return true;
  if (!Keyboard.isAvailable) {
    throw new UsageError(
      "With the policy autonomous, the agent never asks. Add --yes-autonomous to confirm this without a terminal.",
    );
  }
  const interrupted = new AbortController();
  const keyboard = new Keyboard(() => interrupted.abort());
  try {
    const answer = await keyboard.ask(QUESTION, interrupted.signal);
    return /^y(?:es)?$/i.test(answer?.trim() ?? "");
  } finally {
    keyboard.close();
  }
}
