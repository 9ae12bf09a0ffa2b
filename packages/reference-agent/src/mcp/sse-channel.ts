import { deferred, parseObject } from "@signalbox/protocol/wire";
import { type Channel, getRequest, type Rpc, type ServerConfig } from "./channel.ts";
import { eventsIn } from "./events.ts";
import { NotSignedIn, reach } from "./http-failure.ts";
import { createCancelNotification, Pending } from "./pending.ts";
import { type Listener, ServerMessages } from "./server-messages.ts";

/**
 * Creates a channel over the older HTTP transport: one stream delivers every answer, and its first
 * event contains the address for POST requests.
 */
export function sseChannel(
  config: Extract<ServerConfig, { url: string }>,
  listener: Listener,
): Channel {
  const tell = (message: Rpc) => void post(message).catch(() => {}); // The result is not needed.
  const pending = new Pending((id, reason) => tell(createCancelNotification(id, reason)));
  const serverMessages = new ServerMessages(listener, tell);
  const take = (message: Rpc) =>
    message.method === undefined ? pending.take(message) : serverMessages.take(message);
  const endpoint = deferred<URL | Error>(); // It resolves to an error if the endpoint never comes.
  const over = new AbortController();
  const closed = listen(config, endpoint.resolve, take, over.signal).catch((why: unknown) => {
    const failure = why instanceof Error ? why : new Error(String(why));
    endpoint.resolve(failure);
    pending.failAll(failure);
  });
  const post = async (message: Rpc): Promise<void> => {
    const address = await endpoint.promise;
    if (address instanceof Error) throw address;
    const response = await reach(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...config.headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      signal: over.signal,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the MCP server answered ${response.status}`);
  };
  return {
    request(method, params, options) {
      const { id, answer } = pending.open(options);
      post(getRequest(id, method, params)).catch((why: Error) => pending.fail(id, why));
      return answer;
    },
    notify: (method, params) => post({ method, ...(params ? { params } : {}) }),
    close() {
      over.abort();
    },
    closed,
  };
}

/** Reads the stream until the server ends it, which closes the channel. */
async function listen(
  { url, headers }: Extract<ServerConfig, { url: string }>,
  onEndpoint: (url: URL) => void,
  take: (message: Rpc) => void,
  signal: AbortSignal,
): Promise<void> {
  const accept = { accept: "text/event-stream", ...headers };
  const response = await reach(url, { headers: accept, signal }).catch((cause: Error) => {
    throw new Error(`SSE error: ${cause.message}`, { cause });
  });
  if (!response.ok) {
    await response.body?.cancel();
    const { status } = response;
    if (status === 401 || status === 403) throw new NotSignedIn(status);
    throw new Error(`SSE error: Non-200 status code (${status})`);
  }
  for await (const { type, data } of eventsIn(response)) {
    if (type === "endpoint") onEndpoint(sameOrigin(data, url));
    const message = type === "message" ? parseObject(data) : "no message";
    if (typeof message !== "string") take(message);
  }
  throw new Error("the MCP server has ended its stream");
}

/**
 * Refuses an address of another origin, because headers may contain secrets that the person meant
 * for the configured address.
 */
function sameOrigin(address: string, base: string): URL {
  const url = new URL(address, base);
  if (url.origin !== new URL(base).origin) {
    throw new Error(`the MCP server wants to be answered elsewhere, at ${url.origin}`);
  }
  return url;
}
