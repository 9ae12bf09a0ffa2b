import { Refusal } from "@signalbox/protocol/wire";
import type { ControlRequest } from "../agent.ts";
import { permissionModes, type PermissionMode } from "../command-line/options.ts";
import { contextUsage } from "./context-usage.ts";
import { describeModels, resolveModel } from "./model/models.ts";
import type { McpServer } from "./mcp/servers.ts";
import type { Session } from "./session.ts";
import { isRecord } from "./tools/schema.ts";

/** Control requests that are the agent's own; `undefined` for those it does not know. */
export async function answerControl(
  session: Session,
  request: ControlRequest,
): Promise<object | undefined> {
  switch (request.subtype) {
    case "set_permission_mode":
      return setMode(session, request["mode"]);
    case "set_model": {
      const { model } = request;
      session.modelName = resolveModel(
        typeof model === "string" ? model : session.birth.options.model,
      );
      const content = `<local-command-stdout>Set model to \`${session.modelName}\`</local-command-stdout>`;
      session.say({
        type: "user",
        message: { role: "user", content },
        parent_tool_use_id: null,
        timestamp: new Date().toISOString(),
        isReplay: true,
      });
      return { model: session.modelName };
    }
    case "set_max_thinking_tokens": {
      const { max_thinking_tokens: most } = request;
      session.maxThinkingTokens = typeof most === "number" ? most : undefined;
      return {};
    }
    case "mcp_status":
      await session.mcp.ready();
      return { mcpServers: session.mcp.all.map(serverStatus) };
    case "mcp_set_servers":
      return session.mcp.set(isRecord(request["servers"]) ? request["servers"] : {});
    case "mcp_reconnect":
      await session.mcp.reconnect(String(request["serverName"]));
      return {};
    case "mcp_toggle":
      await session.mcp.toggle(String(request["serverName"]), request["enabled"] === true);
      return {};
    case "get_context_usage":
      return contextUsage(session);
    case "get_session_cost":
      return {
        text: `$${session.ledger.costUsd.toFixed(4)}`,
        total_cost_usd: session.ledger.costUsd,
      };
    case "list_models":
      return { models: describeModels() };
    case "stop_task": {
      const task = session.tasks.get(String(request["task_id"]));
      if (!task) throw new Refusal(`No task found with ID: ${String(request["task_id"])}`);
      task.stop();
      return {};
    }
    default:
      return undefined;
  }
}

function setMode(session: Session, mode: unknown): object {
  const known = permissionModes.filter((one) => one !== "manual").toSorted();
  if (!known.some((one) => one === mode)) {
    throw new Refusal(
      `Cannot set permission mode: must be one of ${known.join(", ")}`,
      "invalid_mode",
    );
  }
  const { options } = session.birth;
  if (mode === "bypassPermissions" && !options.skipPermissions && !options.allowSkipPermissions) {
    throw new Refusal(
      "Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions",
    );
  }
  session.permission.setMode(mode as PermissionMode);
  return { mode };
}

function serverStatus({ name, status, info, error, config, scope, tools }: McpServer): object {
  const transport = config.type ?? "stdio";
  return {
    name,
    status,
    ...(info ? { serverInfo: info } : {}),
    ...(error === undefined ? {} : { error }),
    ...(transport === "sdk" ? {} : { config }),
    transport,
    scope,
    source: transport === "sdk" ? "sdk" : "config",
    ...(status === "connected"
      ? {
          tools: tools.map(({ name, description, annotations }) => ({
            name,
            ...(transport === "sdk" ? {} : { description }),
            annotations,
          })),
        }
      : {}),
  };
}
