import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { ActiveCalls } from "./active-calls.ts";
import type { Channel, ServerConfig } from "./channel.ts";
import type { Scope } from "./config.ts";
import { NotSignedIn } from "./http-failure.ts";
import type { McpPrompt } from "./prompts.ts";
import type { McpTool } from "./tool-list.ts";

/** A server of the session, whether it is connected or not. */
export interface McpServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly scope: Scope;
  readonly calls: ActiveCalls;
  status: "pending" | "connected" | "failed" | "needs-auth" | "disabled";
  error?: string;
  info?: JsonObject;
  capabilities: JsonObject;
  tools: readonly McpTool[];
  prompts: readonly McpPrompt[];
  channel?: Channel;
}

export function newServer(name: string, config: ServerConfig, scope: Scope): McpServer {
  const calls = new ActiveCalls();
  return {
    name,
    config,
    scope,
    calls,
    status: "pending",
    capabilities: {},
    tools: [],
    prompts: [],
  };
}

export function takeHello(server: McpServer, { serverInfo, capabilities }: JsonObject): void {
  if (isObject(serverInfo)) server.info = serverInfo;
  server.capabilities = isObject(capabilities) ? capabilities : {};
}

/** Records that a server could not be connected. */
export function takeFailure(server: McpServer, cause: Error): void {
  const { config } = server;
  server.status = "failed";
  server.error = cause.message;
  if (!(cause instanceof NotSignedIn)) return;
  const headers = "url" in config ? Object.keys(config.headers ?? {}) : [];
  if (headers.some((name) => name.toLowerCase() === "authorization")) {
    server.error = `Server rejected the configured Authorization header (HTTP ${cause.status}). Check that the token is valid for this MCP endpoint — OAuth fallback is disabled when headers.Authorization is set.`;
    return;
  }
  server.status = "needs-auth";
  delete server.error;
}

/** Returns where a server comes from, in the wording for hosts. */
export function getSource({ config, scope }: McpServer): string {
  return config.type === "sdk" ? "sdk" : scope;
}

/**
 * Describes the server of a tool for hooks and hosts; undefined for a tool that no server offers.
 */
export function serverNamed(
  servers: { get(name: string): McpServer | undefined },
  name: string | undefined,
): { mcp_server?: JsonObject } {
  if (name === undefined) return {};
  const server = servers.get(name);
  return { mcp_server: { name, source: server ? getSource(server) : "dynamic" } };
}

/** Whether a host turned the server off before it was connected. */
export const isDisabled = ({ status }: McpServer): boolean => status === "disabled";

export const needsAuth = ({ status }: McpServer): boolean => status === "needs-auth";

/** Whether the server is connected, or is being reconnected. */
export const isThere = ({ status }: McpServer): boolean =>
  status === "connected" || status === "pending";
