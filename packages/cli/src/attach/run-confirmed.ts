import type { ElevationView } from "@signalbox/api";
import type { HubClient } from "@signalbox/client";
import { CommandError } from "../command-error.ts";
import { exitCode } from "../exit-code.ts";
import type { LocalHub } from "../hub/local-hub.ts";
import { describeUnconfirmed, elevateTerminal } from "./elevation.ts";

interface ConfirmedWork {
  /** Whose device has to confirm this terminal. */
  readonly role?: ElevationView["role"];
  /** What needs that role, as the subject of a sentence. */
  readonly subject: string;
  /** Where else it can be done, as words that continue a sentence. */
  readonly elsewhere: string;
}

/**
 * Does what takes an approver or an admin, once a device with that role has confirmed this terminal. The
 * command line itself is only a driver, because an agent can type everything that a shell can type.
 */
export async function runConfirmed<T>(
  hub: LocalHub,
  { role = "approver", subject, elsewhere }: ConfirmedWork,
  work: (confirmed: HubClient) => Promise<T>,
): Promise<T> {
  const needs = `${subject} needs an ${role}.`;
  // The words are compared by a person, who sees them on a terminal.
  if (!process.stderr.isTTY) {
    throw new CommandError(
      exitCode.refused,
      `${needs} Use this command in a terminal, which an ${role}'s device then confirms, or ${elsewhere}.`,
    );
  }
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once("SIGINT", onInterrupt);
  try {
    const showWords = (words: string, page: string) =>
      console.error(
        `${needs} Confirm this terminal on a paired device of an ${role}, at ${page}. It shows the same words: ${words}`,
      );
    const elevation = await elevateTerminal(hub, role, showWords, interrupted.signal);
    if (typeof elevation === "string") {
      throw new CommandError(
        exitCode.refused,
        `${describeUnconfirmed(elevation)} Nothing was changed. You can also ${elsewhere}.`,
      );
    }
    using confirmed = elevation;
    return await work(confirmed.hub);
  } catch (failure) {
    if (!interrupted.signal.aborted) throw failure;
    throw new CommandError(exitCode.interrupted, "Interrupted. Nothing was changed.");
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
