import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

const SESSION = "session-1";
const answerText = (value: unknown) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

/**
 * A remote MCP server for stories: it asks questions on the streams of calls, announces new tools
 * on a stream of its own, and breaks streams that can be resumed.
 */
export class FarServer {
  readonly #server: Server;
  readonly #isQuiet: boolean;
  readonly #key: string;
  readonly #tools = ["go", "ask", "elicit", "grow", "break_off"];
  readonly #answers = new Map<unknown, (message: Message) => void>();
  #stream: ServerResponse | undefined;
  #onListed: (() => void) | undefined;
  #onStream: (() => void) | undefined;

  private constructor(isQuiet: boolean, key: string) {
    this.#isQuiet = isQuiet;
    this.#key = key;
    this.#server = createServer((request, response) => void this.#onRequest(request, response));
  }

  /**
   * Opens a server. `isQuiet`: without a stream of its own. `key`: only for clients that send it.
   */
  static async open({ port = 0, isQuiet = false, key = "" } = {}): Promise<FarServer> {
    const far = new FarServer(isQuiet, key);
    await new Promise<void>((resolve) => far.#server.listen(port, "127.0.0.1", resolve));
    return far;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.#key !== "" && request.headers["x-key"] !== this.#key) {
      response.writeHead(401).end("Who asks?");
      return;
    }
    const after = request.headers["last-event-id"];
    if (request.method !== "POST") return this.#onOther(request, response, after);
    const message = JSON.parse(body) as Message;
    if (message.method === undefined) this.#answers.get(message.id)?.(message);
    if (message.id === undefined || message.method === undefined) {
      response.writeHead(202).end();
      return;
    }
    const isNew = message.method === "initialize";
    if (!isNew && message.method !== "server/discover") {
      if (request.headers["mcp-session-id"] !== SESSION) return void response.writeHead(404).end();
    }
    const json = {
      "content-type": "application/json",
      ...(isNew && { "mcp-session-id": SESSION }),
    };
    const reply = (said: object) =>
      response
        .writeHead(200, json)
        .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...said }));
    switch (message.method) {
      case "initialize": {
        const serverInfo = { name: "shop", version: "1.0.0" };
        const capabilities = { tools: { listChanged: true } };
        reply({ result: { protocolVersion: "2025-11-25", capabilities, serverInfo } });
        return;
      }
      case "tools/list": {
        const inputSchema = { type: "object", properties: {} };
        reply({ result: { tools: this.#tools.map((name) => ({ name, inputSchema })) } });
        this.#onListed?.();
        return;
      }
      case "tools/call":
        return this.#call(message, response);
      default:
        reply({ error: { code: -32601, message: "Method not found" } });
    }
  }

  #onOther(request: IncomingMessage, response: ServerResponse, after: unknown): void {
    if (request.method !== "GET" || this.#isQuiet) return void response.writeHead(405).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (after === undefined) {
      this.#stream = response;
      response.flushHeaders();
      this.#onStream?.();
      return;
    }
    const broken = this.#broken;
    if (broken !== undefined) event(response, { id: broken, result: answerText("It was mended.") });
    response.end();
  }
  #broken: Message["id"];

  async #call({ id, params }: Message, response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const end = (value: unknown) => {
      event(response, { id, result: answerText(value) });
      response.end();
    };
    switch (params?.name) {
      case "ask":
        end(
          await Promise.all(
            ["ping", "roots/list", "tools/none"].map((one) => this.#ask(response, one)),
          ),
        );
        return;
      case "elicit": {
        const requestedSchema = { type: "object", properties: { size: { type: "string" } } };
        end(await this.#ask(response, "elicitation/create", { message: "Size?", requestedSchema }));
        return;
      }
      case "grow": {
        this.#tools.push("go_on");
        const listed = new Promise<void>((resolve) => (this.#onListed = resolve));
        if (!this.#stream) await new Promise<void>((resolve) => (this.#onStream = resolve));
        if (this.#stream) event(this.#stream, { method: "notifications/tools/list_changed" });
        await listed;
        end("It grew.");
        return;
      }
      case "break_off":
        this.#broken = id;
        response.write("id: 7\nretry: 10\ndata: \n\n");
        response.end();
        return;
      default:
        end("It went.");
    }
  }

  async #ask(response: ServerResponse, method: string, params?: object): Promise<unknown> {
    const answered = new Promise<Message>((resolve) => this.#answers.set(method, resolve));
    event(response, { id: method, method, ...(params && { params }) });
    const { result, error } = await answered;
    return result ?? { refused: error?.code };
  }
}

function event(response: ServerResponse, message: object): void {
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
}
