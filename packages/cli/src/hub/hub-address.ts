import { isLoopbackUrl } from "@signalbox/protocol/proxy";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { UsageError } from "../usage-error.ts";

/**
 * Parses the address of a hub. Plain HTTP is accepted for loopback only, because others on the network could
 * read a pairing code or a credential.
 */
export function parseHubAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackUrl(url))) return url;
  throw new UsageError(
    url?.protocol === "http:"
      ? "Use https for a hub on another machine. With http, others on the network could read the credential."
      : `"${escapeForTerminal(text)}" is not a valid hub address.`,
  );
}

/** The hub's address in the environment variable SIGNALBOX_URL; undefined if it is not set. */
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
