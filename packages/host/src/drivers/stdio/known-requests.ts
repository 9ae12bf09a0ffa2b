import { isOlder, parseVersion } from "./version.ts";

/** From here on the agent says so when it does not know a request; before, it is silent for ever. */
const REFUSES_UNKNOWN = "2.1.40";

const everywhere = [
  "initialize",
  "interrupt",
  "set_permission_mode",
  "set_model",
  "set_max_thinking_tokens",
  "mcp_status",
  "mcp_set_servers",
  "mcp_message",
  "rewind_files",
];
const later = new Map([
  ["mcp_toggle", "2.1.20"],
  ["mcp_reconnect", "2.1.20"],
]);

/** First seen in this version's code: the one before refuses it. */
const STOP_TASK = "2.1.41";

/** Whether a version can stop one piece of background work; of one that is not known nobody can tell. */
export function stopsTasks(version: string): boolean {
  return Number.isFinite(parseVersion(version)[0]) && !isOlder(version, STOP_TASK);
}

/** The control requests that a version answers at all; undefined: all, if only by refusing. */
export function listSupportedRequests(version: string): ReadonlySet<string> | undefined {
  if (!isOlder(version, REFUSES_UNKNOWN)) return undefined;
  const known = [...later].filter(([, since]) => !isOlder(version, since)).map(([name]) => name);
  return new Set([...everywhere, ...known]);
}
