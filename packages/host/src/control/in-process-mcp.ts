import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { AgentRequest } from "@signalbox/protocol/control";
import { deferred, type Deferred, isObject } from "@signalbox/protocol/wire";

/** An MCP server that lives in this process, such as an `McpServer`: anything that can connect. */
export interface InProcessMcpServer {
  connect(transport: Transport): Promise<void>;
}
/** Sends a message of a server to the agent. */
type ToAgent = (server: string, message: JSONRPCMessage) => Promise<unknown>;

/**
 * Carries JSON-RPC messages between the agent and servers in this process, inside the control
 * protocol.
 */
export class InProcessMcp {
  readonly #links = new Map<string, ServerLink>();

  async connect(
    servers: Readonly<Record<string, InProcessMcpServer>>,
    toAgent: ToAgent,
  ): Promise<void> {
    for (const [name, server] of Object.entries(servers)) {
      const link = new ServerLink((message) => toAgent(name, message));
      await server.connect(link);
      this.#links.set(name, link);
    }
  }

  get names(): string[] {
    return [...this.#links.keys()];
  }

  async handle(request: AgentRequest<"mcp_message">): Promise<object> {
    const link = this.#links.get(request.server_name);
    if (!link) throw new Error(`no MCP server is called ${request.server_name}`);
    return { mcp_response: await link.deliver(request.message as unknown as JSONRPCMessage) };
  }

  async close(): Promise<void> {
    const links = [...this.#links.values()];
    this.#links.clear();
    await Promise.all(links.map((link) => link.close()));
  }
}

/** The server's end of one connection. */
class ServerLink implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  readonly #toAgent: (message: JSONRPCMessage) => Promise<unknown>;
  readonly #waiting = new Map<RequestId, Deferred<JSONRPCMessage>>();

  constructor(toAgent: (message: JSONRPCMessage) => Promise<unknown>) {
    this.#toAgent = toAgent;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Delivers a message of the agent to the server. Resolves with the server's answer, if it has
   * one.
   */
  async deliver(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    if (!("method" in message && "id" in message)) {
      this.onmessage?.(message);
      // a notification, for which the agent still expects an answer
      return { jsonrpc: "2.0", id: 0, result: {} };
    }
    const answered = deferred<JSONRPCMessage>();
    this.#waiting.set(message.id, answered);
    this.onmessage?.(message);
    return answered.promise;
  }

  /**
   * Handles a message of the server: an answer settles its request, anything else is sent to the
   * agent.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (isObject(message) && !("method" in message) && message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      waiting?.resolve(message);
    } else {
      // A server may send a message although the agent has ended or does not listen; that is no
      // error.
      await this.#toAgent(message).catch(() => {});
    }
  }

  close(): Promise<void> {
    for (const [id, waiting] of this.#waiting) {
      const error = { code: -32000, message: "the server was closed" };
      waiting.resolve({ jsonrpc: "2.0", id, error });
    }
    this.#waiting.clear();
    this.onclose?.();
    return Promise.resolve();
  }
}
