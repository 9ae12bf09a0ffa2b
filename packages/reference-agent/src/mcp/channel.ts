import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { HostCallbacks } from "@signalbox/agent";
import { createCancelNotification, LATE, Pending, type RequestOptions } from "./pending.ts";
import { type Listener, ServerMessages } from "./server-messages.ts";

/** A connection to a server that carries JSON-RPC in both directions. */
export interface Channel {
  /** Resolves with the answer's result; rejects with its error. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: JsonObject): Promise<void>;
  close(): void;
  /** Receives the server's own messages, if the channel does not deliver them. */
  onMessage?(message: Rpc): void;
  /** Settles when the server has gone away by itself. */
  readonly closed: Promise<void>;
}

export type ServerConfig = {
  /** The longest duration of a call, in milliseconds. */
  readonly timeout?: unknown;
} & (
  | {
      readonly type?: "stdio";
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "http" | "sse";
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** A shell command that prints further headers. */
      readonly headersHelper?: string;
      /** The client's identity for a sign-in server that does not let every client register. */
      readonly oauth?: { readonly clientId?: string; readonly callbackPort?: number };
    }
  | { readonly type: "sdk"; readonly name?: string }
);

export interface Rpc {
  id?: number | string;
  method?: string;
  result?: unknown;
  error?: { message?: string; code?: number; data?: unknown };
  [field: string]: unknown;
}

/** An error that the server itself returned. */
export class RpcError extends Error {
  readonly code: number | undefined;
  readonly data: unknown;

  constructor({ message = "the MCP server refused", code, data }: NonNullable<Rpc["error"]>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Builds a request. The progress of a call is reported under the call's own id. */
export function getRequest(id: number, method: string, params?: JsonObject): Rpc & { id: number } {
  if (method !== "tools/call") return { id, method, ...(params ? { params } : {}) };
  const meta = isObject(params?.["_meta"]) ? params["_meta"] : {};
  return { id, method, params: { ...params, _meta: { ...meta, progressToken: id } } };
}

/** Creates a channel to a server inside the host, over the control plane. */
export function hostChannel(
  name: string,
  host: HostCallbacks,
  listener: Listener,
  firstId = 0,
): Channel {
  const send = (message: Rpc) => host.mcpMessage(name, { jsonrpc: "2.0", ...message });
  const serverMessages = new ServerMessages(
    listener,
    (answer) => void send(answer).catch(() => {}),
  );
  const pending = new Pending((id, reason) => {
    const tell = () => void send(createCancelNotification(id, reason)).catch(() => {});
    // The call fails before its server is told that it is too late.
    if (reason === LATE) setImmediate(() => setImmediate(tell));
    else tell();
  }, firstId);
  return {
    onMessage: (message) => serverMessages.take(message),
    request(method, params, options) {
      const { id, answer } = pending.open(options);
      send(getRequest(id, method, params)).then(
        (pendingAnswer) => pending.take(isObject(pendingAnswer) ? pendingAnswer : {}),
        (cause: unknown) => pending.fail(id, cause as Error),
      );
      return answer;
    },
    async notify(method, params) {
      await send({ method, ...(params ? { params } : {}) });
    },
    close() {
      pending.failAll(new Error("Connection closed"));
    },
    closed: new Promise(() => {}), // The channel is open as long as the host.
  };
}
