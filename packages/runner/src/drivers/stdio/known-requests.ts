import { isOlder } from "./version.ts";

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

/** The control requests that a version answers at all; undefined: all, if only by refusing. */
export function answeredRequests(version: string): ReadonlySet<string> | undefined {
  if (!isOlder(version, REFUSES_UNKNOWN)) return undefined;
  const known = [...later].filter(([, since]) => !isOlder(version, since)).map(([name]) => name);
  return new Set([...everywhere, ...known]);
}
