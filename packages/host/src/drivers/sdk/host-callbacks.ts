import type {
  CanUseTool,
  McpServerConfig,
  OnElicitation,
  OnUserDialog,
  Options,
  PermissionResult,
} from "@anthropic-ai/claude-agent-sdk";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import type { CallHook } from "./query-options.ts";

/** Puts a control request to the host, as the agent itself would. */
type AskHost = (
  request: { subtype: string } & JsonObject,
  signal?: AbortSignal,
) => Promise<JsonObject>;

/** The SDK's callbacks, each of them the control request that stands behind it on the wire. */
export class SdkCallbacks {
  readonly #ask: AskHost;
  readonly #servers = new Map<string, Transport>();

  constructor(ask: AskHost) {
    this.#ask = ask;
  }

  readonly callHook: CallHook = (callback_id, input, tool_use_id, signal) =>
    this.#ask({ subtype: "hook_callback", callback_id, input, tool_use_id }, signal);

  get options(): Pick<Options, "canUseTool" | "onElicitation" | "onUserDialog"> {
    return {
      canUseTool: this.#canUseTool,
      onElicitation: this.#elicitation,
      onUserDialog: this.#dialog,
    };
  }

  readonly #canUseTool: CanUseTool = async (tool_name, input, options) => {
    const answer = await this.#ask(
      {
        subtype: "can_use_tool",
        tool_name,
        input,
        tool_use_id: options.toolUseID,
        permission_suggestions: options.suggestions,
        blocked_path: options.blockedPath,
        decision_reason: options.decisionReason,
        agent_id: options.agentID,
        title: options.title,
        display_name: options.displayName,
        description: options.description,
        default_to_no: options.defaultToNo,
        suppress_always_allow_rule: options.suppressAlwaysAllowRule,
        mcp_server: options.mcpServer,
        matched_ask_rule: options.matchedAskRule,
      },
      options.signal,
    );
    return answer as unknown as PermissionResult;
  };

  readonly #elicitation: OnElicitation = async (request, { signal }) => {
    const answer = await this.#ask(
      {
        subtype: "elicitation",
        mcp_server_name: request.serverName,
        message: request.message,
        mode: request.mode,
        url: request.url,
        elicitation_id: request.elicitationId,
        requested_schema: request.requestedSchema,
        title: request.title,
        display_name: request.displayName,
        description: request.description,
      },
      signal,
    );
    return answer as unknown as Awaited<ReturnType<OnElicitation>>;
  };

  readonly #dialog: OnUserDialog = async ({ dialogKind, payload, toolUseID }, { signal }) => {
    const answer = await this.#ask(
      {
        subtype: "request_user_dialog",
        dialog_kind: dialogKind,
        payload,
        tool_use_id: toolUseID,
      },
      signal,
    );
    return answer as unknown as Awaited<ReturnType<OnUserDialog>>;
  };

  /** The host's in-process MCP servers, as ones that the SDK can connect to. */
  servers(names: unknown): Record<string, McpServerConfig> {
    const known = Array.isArray(names) ? names.map(String) : [];
    return Object.fromEntries(known.map((name) => [name, this.#server(name)]));
  }

  #server(name: string): McpServerConfig {
    const connect = async (transport: Transport) => {
      this.#servers.set(name, transport);
      const onmessage = (message: JSONRPCMessage) => void this.#toServer(name, transport, message);
      Object.assign(transport, { onmessage });
      await transport.start();
    };
    const close = () => Promise.resolve();
    return { type: "sdk", name, instance: { connect, close } as never };
  }

  async #toServer(name: string, transport: Transport, message: JSONRPCMessage): Promise<void> {
    const request = { subtype: "mcp_message", server_name: name, message };
    const answer = await this.#ask(request).catch(() => undefined); // the run is over
    const response = answer?.["mcp_response"];
    const isRequest = "method" in message && "id" in message;
    if (isRequest && isObject(response)) await transport.send(response as JSONRPCMessage);
  }

  /** What a server has to say by itself. */
  async fromServer(name: unknown, message: unknown): Promise<void> {
    await this.#servers.get(String(name))?.send(message as JSONRPCMessage);
  }
}
