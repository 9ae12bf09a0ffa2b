import type { HubClient } from "@signalbox/client";
import { CommandError } from "../command-error.ts";
import { exitCode } from "../exit-code.ts";
import type { LocalHub } from "../hub/local-hub.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { elevateTerminal } from "./elevation.ts";

/**
 * Does what takes an approver, once an approver's device has confirmed this terminal. `subject` is what needs
 * an approver, and `elsewhere` says where else it can be done, in words that continue a sentence.
 */
export async function runAsApprover<T>(
  hub: LocalHub,
  { subject, elsewhere }: { readonly subject: string; readonly elsewhere: string },
  work: (approver: HubClient) => Promise<T>,
): Promise<T> {
  if (!Keyboard.isAvailable) {
    throw new CommandError(
      exitCode.refused,
      `${subject} needs an approver. Use this command in a terminal, which an approver's device then confirms, or ${elsewhere}.`,
    );
  }
  const over = new AbortController();
  const keyboard = new Keyboard(() => over.abort());
  try {
    const tell = (words: string) =>
      console.error(
        `${subject} needs an approver. Confirm this terminal on a paired device of an approver, in its inbox (${hub.url}/inbox): ${words}`,
      );
    const elevation = await elevateTerminal(hub, tell, over.signal);
    if (typeof elevation === "string") {
      const why = elevation === "refused" ? "was not confirmed" : "was not confirmed in time";
      throw new CommandError(exitCode.refused, `This terminal ${why}. Nothing was changed.`);
    }
    using confirmed = elevation;
    return await work(confirmed.hub);
  } finally {
    keyboard.close();
  }
}
