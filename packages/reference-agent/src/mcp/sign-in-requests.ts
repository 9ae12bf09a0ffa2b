import { ControlRefusal } from "@signalbox/protocol/wire";
import type { ControlRequest } from "@signalbox/agent";
import type { Session } from "../session.ts";

/**
 * Handles a host's requests to sign a person in to an MCP server, or out; `undefined` for other
 * requests.
 */
export async function answerSignIn(
  { mcp }: Session,
  request: ControlRequest,
): Promise<object | null | undefined> {
  const name = String(request["serverName"]);
  switch (request.subtype) {
    case "mcp_authenticate":
      return mcp.signIns.begin(name, getRemoteConfig(name));
    case "mcp_oauth_callback_url":
      getRemoteConfig(name);
      await mcp.signIns.finish(name, String(request["callbackUrl"]));
      return null;
    case "mcp_clear_auth":
      await mcp.signIns.clear(name, getRemoteConfig(name).url);
      await mcp.reconnect(name).catch(() => {}); // It needs a new sign-in.
      return {};
    default:
      return undefined;
  }

  function getRemoteConfig(wanted: string) {
    const config = mcp.get(wanted)?.config;
    if (!config) throw new ControlRefusal(`Server not found: ${wanted}`);
    if ("url" in config) return config;
    throw new ControlRefusal(
      `Server type "${config.type ?? "stdio"}" does not support OAuth authentication`,
    );
  }
}
