import { SignalboxError } from "@signalbox/protocol";
import { isOlder } from "../drivers/stdio/version.ts";

/** From here on the agent says so when it does not know a request; before, it is silent for ever. */
const REFUSES_UNKNOWN = "2.1.40";
/** What the silent versions answer, and since when (absent: all that we support). */
const answeredBySilent = new Map<string, string | undefined>([
  ["initialize", undefined],
  ["interrupt", undefined],
  ["set_permission_mode", undefined],
  ["set_model", undefined],
  ["set_max_thinking_tokens", undefined],
  ["mcp_status", undefined],
  ["mcp_set_servers", undefined],
  ["mcp_message", undefined],
  ["rewind_files", undefined],
  ["mcp_toggle", "2.1.20"],
  ["mcp_reconnect", "2.1.20"],
]);

/** Says at once what an old version would never say: that it does not know this request. */
export function refuseUnknown(subtype: string, agentVersion: string): void {
  if (!isOlder(agentVersion, REFUSES_UNKNOWN)) return;
  const since = answeredBySilent.get(subtype);
  if (answeredBySilent.has(subtype) && !(since && isOlder(agentVersion, since))) return;
  const said = `Claude Code ${agentVersion} has no such request`;
  throw new SignalboxError("REQUEST_REFUSED", { subtype, said, unsupported: true });
}
