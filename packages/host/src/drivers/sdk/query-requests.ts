import type {
  McpServerConfig,
  PermissionMode,
  Query,
  Settings,
} from "@anthropic-ai/claude-agent-sdk";
import type { JsonObject } from "@signalbox/protocol";

/** The control requests for which the SDK has a method; what has none is refused as unknown. */
export const queryRequestHandlers: Readonly<
  Record<string, (query: Query, fields: JsonObject) => Promise<unknown>>
> = {
  interrupt: (query) => query.interrupt(),
  set_permission_mode: (query, { mode }) => query.setPermissionMode(mode as PermissionMode),
  set_model: (query, { model }) => query.setModel((model as string | null) ?? undefined),
  set_max_thinking_tokens: (query, { max_thinking_tokens: tokens }) =>
    query.setMaxThinkingTokens(tokens as number | null),
  get_context_usage: (query) => query.getContextUsage(),
  mcp_status: async (query) => ({ mcpServers: await query.mcpServerStatus() }),
  mcp_set_servers: (query, { servers }) =>
    query.setMcpServers(servers as Record<string, McpServerConfig>),
  mcp_toggle: (query, { serverName, enabled }) =>
    query.toggleMcpServer(String(serverName), enabled === true),
  mcp_reconnect: (query, { serverName }) => query.reconnectMcpServer(String(serverName)),
  rewind_files: (query, { user_message_id: id, dry_run }) =>
    query.rewindFiles(String(id), { dryRun: dry_run === true }),
  apply_flag_settings: (query, { settings }) => query.applyFlagSettings(settings as Settings),
  stop_task: (query, { task_id: id }) => query.stopTask(String(id)),
};
