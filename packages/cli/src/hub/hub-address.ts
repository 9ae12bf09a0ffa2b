import { escapeForTerminal } from "@signalbox/protocol/text";
import { UsageError } from "../usage-error.ts";

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether this address is reached from its own machine alone. */
export function isLoopback(url: URL | string): boolean {
  return loopback.has(new URL(url).hostname);
}

/**
 * Reads the address of a hub. Plain HTTP is accepted for loopback alone: a code or a credential that
 * travels in the clear belongs to whoever listens on the way.
 */
export function parseHubAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url))) return url;
  throw new UsageError(
    url?.protocol === "http:"
      ? "Another machine's hub is reached by https alone: anyone on the way could read the credential."
      : `"${escapeForTerminal(text)}" is not the address of a hub.`,
  );
}

/** The hub's address by the environment variable SIGNALBOX_URL; undefined where it is not set. */
export function readHubAddressVariable(
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const { SIGNALBOX_URL: set = "" } = environment;
  if (set === "") return undefined;
  try {
    return parseHubAddress(set).origin;
  } catch (failure) {
    if (failure instanceof UsageError) throw new UsageError(`SIGNALBOX_URL: ${failure.message}`);
    throw failure;
  }
}
