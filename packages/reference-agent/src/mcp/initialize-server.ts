import { isObject } from "@signalbox/protocol/wire";
import { type AgentContext, CLAUDE_CODE_VERSION } from "@signalbox/agent";
import type { Channel } from "./channel.ts";
import { type McpServer, takeHello } from "./server.ts";

export const PROTOCOL_VERSION = "2025-11-25";
/** The supported versions of the protocol. */
const VERSIONS = new Set([
  PROTOCOL_VERSION,
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
]);
const CONNECT_MS = 30_000;
const ownInfo = { name: "signalbox-agent", version: "0.1.0" };
/** Servers inside hosts see the same client name everywhere. */
const spokenInfo = {
  name: "claude-code",
  title: "Claude Code",
  description: "Anthropic's agentic coding tool",
  websiteUrl: "https://claude.com/claude-code",
  version: CLAUDE_CODE_VERSION,
};
const capabilities = { roots: { listChanged: true }, elicitation: { form: {}, url: {} } };

/** Initializes a server: exchanges names and capabilities. */
export async function initializeServer(
  server: McpServer,
  channel: Channel,
  environment: AgentContext["environment"],
): Promise<void> {
  const timeoutMs = Number(environment["MCP_TIMEOUT"]) || CONNECT_MS;
  const isHosts = server.config.type === "sdk";
  const params = {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: isHosts ? {} : capabilities,
    clientInfo: isHosts ? spokenInfo : ownInfo,
  };
  const hello = await channel.request("initialize", params, { timeoutMs });
  const serverInfo = isObject(hello) ? hello : {};
  const { protocolVersion: version } = serverInfo;
  if (typeof version === "string" && !VERSIONS.has(version)) {
    throw new Error(`Server's protocol version is not supported: ${version}`);
  }
  takeHello(server, serverInfo);
  await channel.notify("notifications/initialized");
}
