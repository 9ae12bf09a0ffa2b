import { spawn } from "node:child_process";
import { lines, type JsonObject, lineText, parseObject } from "@signalbox/protocol/wire";
import type { HostCallbacks } from "../../agent.ts";
import { endsWithUs, signalGroup } from "../process-groups.ts";
import { eventsIn } from "./events.ts";

/** One way to a server: JSON-RPC there and back. */
export interface Channel {
  /** Resolves with the answer's result; rejects with its error. */
  request(
    method: string,
    params?: JsonObject,
    options?: { signal?: AbortSignal; timeoutMs?: number },
  ): Promise<unknown>;
  notify(method: string, params?: JsonObject): Promise<void>;
  close(): void;
  /** Settles when the server is gone by itself. */
  readonly closed: Promise<void>;
}

export type ServerConfig =
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
    }
  | { readonly type: "sdk"; readonly name?: string };

const REQUEST_MS = 60_000;

export interface Rpc {
  id?: number | string;
  method?: string;
  result?: unknown;
  error?: { message?: string; code?: number };
  [field: string]: unknown;
}

/** Requests that wait for their answers, whatever carries them. */
export class Pending {
  #next = 0;
  readonly #waiting = new Map<
    number,
    { resolve(value: unknown): void; reject(why: Error): void }
  >();

  open(options: { signal?: AbortSignal; timeoutMs?: number } = {}): {
    id: number;
    answer: Promise<unknown>;
  } {
    const id = this.#next++;
    const answer = new Promise<unknown>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        act();
      };
      const timer = setTimeout(
        () => settle(() => reject(new Error("the MCP server did not answer in time"))),
        options.timeoutMs ?? REQUEST_MS,
      );
      options.signal?.addEventListener(
        "abort",
        () => settle(() => reject(new Error("interrupted"))),
        { once: true },
      );
      this.#waiting.set(id, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (why) => settle(() => reject(why)),
      });
    });
    return { id, answer };
  }

  take(message: Rpc): void {
    const waiting = typeof message.id === "number" ? this.#waiting.get(message.id) : undefined;
    if (!waiting || message.method !== undefined) return;
    if (message.error) waiting.reject(new Error(message.error.message ?? "the MCP server refused"));
    else waiting.resolve(message.result);
  }

  fail(id: number, why: Error): void {
    this.#waiting.get(id)?.reject(why);
  }

  failAll(why: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(why);
  }
}

export function stdioChannel(
  config: Extract<ServerConfig, { command: string }>,
  place: { folder: string; environment: Readonly<Record<string, string | undefined>> },
): Channel {
  const child = spawn(config.command, [...(config.args ?? [])], {
    cwd: place.folder,
    env: { ...place.environment, ...config.env },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  endsWithUs(child, "SIGTERM");
  const pending = new Pending();
  child.stdin.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    const over = (why: string) => {
      pending.failAll(new Error(why));
      resolve();
    };
    child.once("error", (cause) => over(cause.message));
    child.once("exit", () => over("Connection closed"));
  });
  void (async () => {
    for await (const batch of lines(child.stdout)) {
      for (const line of batch) {
        const message = parseObject(lineText(line));
        if (typeof message !== "string") pending.take(message);
      }
    }
  })().catch(() => {});
  const send = (message: Rpc) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  return {
    request(method, params, options) {
      const { id, answer } = pending.open(options);
      send({ id, method, ...(params ? { params } : {}) });
      return answer;
    },
    async notify(method, params) {
      send({ method, ...(params ? { params } : {}) });
    },
    close() {
      child.stdin.end();
      signalGroup(child.pid, "SIGTERM");
    },
    closed,
  };
}

/** A server inside the host, reached over the control plane. */
export function hostChannel(name: string, host: HostCallbacks, firstId = 0): Channel {
  let next = firstId;
  return {
    async request(method, params) {
      const message = { jsonrpc: "2.0", id: next++, method, ...(params ? { params } : {}) };
      const answer = (await host.mcpMessage(name, message)) as Rpc;
      if (answer?.error) throw new Error(answer.error.message ?? "the MCP server refused");
      return answer?.result;
    },
    async notify(method, params) {
      await host.mcpMessage(name, { jsonrpc: "2.0", method, ...(params ? { params } : {}) });
    },
    close() {},
    closed: new Promise(() => {}), // it lives as long as the host
  };
}

/** The server does not know the session any more: it has begun anew. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
  override readonly message = "the MCP server has forgotten the session";
}

/** Streamable HTTP: each message is a POST; the answer is JSON, or events of which one is the answer. */
export function httpChannel(config: Extract<ServerConfig, { url: string }>): Channel {
  let next = 0;
  let sessionId: string | undefined;
  let version: string | undefined;
  const over = new AbortController();
  const post = async (message: Rpc, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(config.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...config.headers,
        ...(sessionId === undefined ? {} : { "mcp-session-id": sessionId }),
        ...(version === undefined ? {} : { "mcp-protocol-version": version }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    });
    sessionId = response.headers.get("mcp-session-id") ?? sessionId;
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 404 && sessionId !== undefined) throw new SessionLost();
      throw new Error(`the MCP server answered ${response.status}`);
    }
    return response;
  };
  return {
    async request(method, params, options) {
      const id = next++;
      const late = AbortSignal.timeout(options?.timeoutMs ?? REQUEST_MS);
      const signal = options?.signal ? AbortSignal.any([options.signal, late]) : late;
      const response = await post({ id, method, ...(params ? { params } : {}) }, signal);
      const answer = await answerIn(response, id);
      if (answer.error) throw new Error(answer.error.message ?? "the MCP server refused");
      const agreed = (answer.result as { protocolVersion?: unknown } | undefined)?.protocolVersion;
      if (method === "initialize" && typeof agreed === "string") version = agreed;
      return answer.result;
    },
    async notify(method, params) {
      const response = await post({ method, ...(params ? { params } : {}) });
      await response.body?.cancel();
    },
    close() {
      over.abort();
    },
    closed: new Promise(() => {}), // requests stand alone: there is nothing to lose
  };
}

async function answerIn(response: Response, id: number): Promise<Rpc> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("text/event-stream")) return (await response.json()) as Rpc;
  for await (const { data } of eventsIn(response)) {
    const message = parseObject(data);
    if (typeof message !== "string" && message["id"] === id && !("method" in message)) {
      return message;
    }
  }
  throw new Error("the MCP server's stream ended without an answer");
}
