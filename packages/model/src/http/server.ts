import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ModelError } from "../errors.ts";
import { parseScript } from "../script/parse.ts";
import { RecentRequests, type RecordedRequest } from "./recent-requests.ts";
import { type Exchange, route } from "./route.ts";

export type ModelOptions = {
  /** The text of a script; without one every prompt is echoed unless it carries directives. */
  script?: string | undefined;
  /** 0, the default, takes any free port. */
  port?: number | undefined;
  host?: string | undefined;
  /** Told of every request to /v1/messages, before it is answered. */
  onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Milliseconds between two deltas; 0 by default. */
  chunkDelayMs?: number | undefined;
};

export type Model = {
  url: string;
  port: number;
  /** The last bodies sent to /v1/messages, oldest first. */
  requests: readonly unknown[];
  /** Ends open streams at once. */
  close: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

const loopback = new Set(["127.0.0.1", "::1", "localhost"]);

/** Starts a Messages API on loopback that answers from a script. */
export async function startModel(options: ModelOptions = {}): Promise<Model> {
  const { script = "", port = 0, host = "127.0.0.1", chunkDelayMs = 0, onRequest } = options;
  if (!loopback.has(host)) throw new ModelError("HOST_NOT_LOOPBACK", { host });
  const recent = new RecentRequests();
  const record = (request: RecordedRequest, chars: number) => {
    recent.add(request.body, chars);
    onRequest?.(request);
  };
  const answer = route({ script: parseScript(script), chunkDelayMs, record });
  const closing = new AbortController();
  const server = createServer((request, response) => {
    void serve(answer, request, response, closing.signal);
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      closing.abort();
      server.closeAllConnections();
    }));
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
  return { url, port: bound, requests: recent.bodies, close, [Symbol.asyncDispose]: close };
}

/** One exchange, which stops when the client leaves or the server closes. */
async function serve(
  answer: (exchange: Exchange) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  response.once("error", () => left.abort());
  const signal = AbortSignal.any([left.signal, closing]);
  try {
    await answer({ request, response, signal });
  } catch (error) {
    response.destroy();
    const clientLeft = request.destroyed && !request.complete;
    if (!signal.aborted && !clientLeft) throw error;
  }
}
