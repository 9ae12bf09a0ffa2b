import { Keyboard } from "../terminal/keyboard.ts";
import { UsageError } from "../usage-error.ts";

const QUESTION =
  "Under autonomous the agent asks for nothing and runs what it likes as you. Go on? (y/N) > ";

/** Asks whoever starts it, or takes `--yes-autonomous` for an answer. False: it is not wanted. */
export async function confirmAutonomous(policy: string, yes: boolean): Promise<boolean> {
  if (policy !== "autonomous" || yes) return true;
  if (!Keyboard.isAvailable) {
    throw new UsageError(
      "Under the policy autonomous the agent asks for nothing. Where nobody can be asked whether that is wanted, say --yes-autonomous as well.",
    );
  }
  const over = new AbortController();
  const keyboard = new Keyboard(() => over.abort());
  try {
    const answer = await keyboard.ask(QUESTION, over.signal);
    return /^y(?:es)?$/i.test(answer?.trim() ?? "");
  } finally {
    keyboard.close();
  }
}
