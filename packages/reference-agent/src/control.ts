import { isObject, type JsonObject, ControlRefusal } from "@signalbox/protocol/wire";
import type { ControlRequest, PermissionMode } from "@signalbox/agent";
import { permissionModes } from "@signalbox/agent/command-line";
import { changeModel } from "./change-model.ts";
import { describeContext } from "./turn/context-usage.ts";
import { readDefinitions } from "./commands/definitions.ts";
import { costText } from "./cost-text.ts";
import { describe } from "./describe.ts";
import { applyFlagSettings, describeSettings } from "./flag-settings.ts";
import { describeModels } from "./model/models.ts";
import type { ServerConfig } from "./mcp/channel.ts";
import { readForHost } from "./mcp/read-resource.ts";
import { answerSignIn } from "./mcp/sign-in-requests.ts";
import { type McpServer, getSource } from "./mcp/server.ts";
import { answerTitle } from "./session-title.ts";
import type { Session } from "./session.ts";

/** Answers the agent's own control requests; `undefined` for unknown ones. */
export async function answerControl(
  session: Session,
  request: ControlRequest,
  signal = new AbortController().signal,
): Promise<object | null | undefined> {
  switch (request.subtype) {
    case "set_permission_mode":
      return setMode(session, request["mode"]);
    case "set_model":
      return setModel(session, request["model"]);
    case "set_max_thinking_tokens": {
      const { max_thinking_tokens: most } = request;
      session.maxThinkingTokens = typeof most === "number" ? most : undefined;
      return null;
    }
    case "apply_flag_settings":
      applyFlagSettings(session, request["settings"]);
      return null;
    case "get_settings":
      return describeSettings(session);
    case "mcp_status":
      return { mcpServers: session.mcp.all.map(serverStatus) };
    case "mcp_set_servers":
      return setServers(session, request["servers"]);
    case "mcp_message": {
      const { server_name: name, message } = request;
      // The message is handled after the answer is sent.
      if (isObject(message)) setImmediate(() => session.mcp.onServerMessage(String(name), message));
      return null;
    }
    case "mcp_reconnect":
      await session.mcp.reconnect(String(request["serverName"]));
      return null;
    case "mcp_toggle":
      await session.mcp.toggle(String(request["serverName"]), request["enabled"] === true);
      return null;
    case "mcp_read_resource":
      return readForHost(session.mcp, request);
    case "generate_session_title":
      return answerTitle(session, request, signal);
    case "get_context_usage":
      return describeContext(session);
    case "get_session_cost":
      return { text: costText(session) };
    case "list_models":
      return { models: describeModels() };
    case "seed_read_state":
      await session.files.seed(String(request["path"]), Number(request["mtime"]));
      return null;
    case "reload_plugins":
      return reload(session);
    case "stop_task":
      session.tasks.get(String(request["task_id"]))?.stop("user");
      return {};
    default:
      return answerSignIn(session, request);
  }
}

/** Reads the definitions in folders again and returns them. There are no plugins. */
async function reload(session: Session): Promise<object> {
  await readDefinitions(session);
  const { commands, agents } = describe(session).initialize ?? {};
  const mcpServers = session.mcp.all.map(serverStatus);
  if (session.announcedCommands !== undefined) session.announcedCommands = JSON.stringify(commands);
  return { commands, agents, plugins: [], mcpServers, error_count: 0 };
}

function setMode(session: Session, mode: unknown): object {
  const known = permissionModes.filter((one) => one !== "manual").toSorted();
  if (!known.some((one) => one === mode)) {
    throw new ControlRefusal(
      `Cannot set permission mode: must be one of ${known.join(", ")}`,
      "invalid_mode",
    );
  }
  const { options } = session.context;
  if (mode === "bypassPermissions" && session.settings.forbidsBypass) {
    throw new ControlRefusal(
      "Cannot set permission mode to bypassPermissions because it is disabled by settings or configuration",
      "bypass_disabled",
    );
  }
  if (mode === "bypassPermissions" && !options.skipPermissions && !options.allowSkipPermissions) {
    throw new ControlRefusal(
      "Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions",
      "bypass_not_launched",
    );
  }
  // The mode is reported after the answer.
  session.permission.setMode(mode as PermissionMode, setImmediate);
  return { mode };
}

function setModel(session: Session, model: unknown): object {
  if (typeof model === "string" && model.trim() === "") {
    throw new ControlRefusal(
      'Model "(unrecognized model name)" is not a recognized model id. Run /model to see available models.',
      "catalog_unknown",
      { model: session.modelName },
    );
  }
  changeModel(session, typeof model === "string" ? model : "default");
  return { model: session.modelName };
}

function setServers(session: Session, servers: unknown): Promise<object> {
  if (isObject(servers) && Object.values(servers).every(isObject)) {
    return session.mcp.set(servers as Record<string, JsonObject>);
  }
  throw new ControlRefusal("mcp_set_servers: servers must be an object of config objects");
}

function serverStatus(server: McpServer): object {
  const { name, status, info, error, config, scope, tools } = server;
  const transport = config.type ?? "stdio";
  return {
    name,
    status,
    ...(info && status === "connected" ? { serverInfo: info } : {}),
    ...(error === undefined ? {} : { error }),
    ...shownConfig(config),
    transport,
    scope,
    source: getSource(server),
    ...(status === "connected"
      ? {
          tools: tools.map(({ name, annotations }) => ({ name, annotations: hints(annotations) })),
        }
      : {}),
  };
}

/** Lists the hints that a tool gives about itself. */
function hints({ readOnlyHint, destructiveHint, openWorldHint }: JsonObject): object {
  return {
    ...(readOnlyHint === true && { readOnly: true }),
    ...(destructiveHint === true && { destructive: true }),
    ...(openWorldHint === true && { openWorld: true }),
  };
}

/**
 * Returns the part of a server's configuration that hosts may see: no variables, and no unknown
 * fields.
 */
function shownConfig(config: ServerConfig): { config?: object } {
  const { type = "stdio", ...configFields } = config as JsonObject;
  const fields = shown[String(type)];
  if (!fields) return {};
  const whole = type === "stdio" ? { args: [], ...configFields } : configFields;
  const named = Object.entries(whole).filter(([name]) => fields.includes(name));
  return { config: { type, ...Object.fromEntries(named) } };
}

const FAR = ["url", "headers", "oauth"];
const shown: Readonly<Record<string, readonly string[]>> = {
  stdio: ["command", "args"],
  http: FAR,
  sse: FAR,
};
