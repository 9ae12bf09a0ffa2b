import { randomUUID } from "node:crypto";
import type { HubFrame } from "@signalbox/api";
import { COMMAND_HEADER, STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api/constants";
import { AccessControl } from "../../src/devices/access-control.ts";
import type { AnyRole } from "../../src/devices/roles.ts";
import { type Clocks, steadyNow } from "../../src/clocks.ts";
import type { Engine, RunnerGateway, SendFrame } from "../../src/engine.ts";
import type { DeviceLimitValues } from "../../src/http/device-limits.ts";
import { Counters } from "../../src/metrics/counters.ts";
import { HttpServer } from "../../src/http/http-server.ts";
import { handlers } from "../../src/http/routes/index.ts";
import type { ListenOptions } from "../../src/http/listen-plan.ts";
import { listen } from "../../src/http/listen.ts";
import { createLogger } from "../../src/logging/logger.ts";
import { openPage } from "../../src/http/page.ts";
import { MemoryStore } from "./memory-store.ts";
import { authorization, signedBody } from "@signalbox/testing/signed-requests";

/** Notes what reaches it and answers with something. What the real one does is proven elsewhere. */
function listeningEngine() {
  const calls: { name: string; args: unknown[] }[] = [];
  const sends = new Set<SendFrame>();
  const answers: Record<string, (...args: never[]) => unknown> = {
    "history.listItems": async () => [],
    "history.listFileChanges": async () => [],
    "history.listLines": async () => [],
    "settings.getEnvironments": async () => ({}),
    "embeddingOrigins.list": () => ({ origins: [] }),
    "relaySetting.isOn": () => false,
    "clients.connect": (send: SendFrame) => {
      sends.add(send);
      const note =
        (name: string) =>
        (...args: unknown[]) =>
          void calls.push({ name, args });
      const names = ["watchBoard", "leaveBoard", "watch", "leave", "acknowledge"];
      names.push("watchTerminal", "leaveTerminal", "watchChanges", "leaveChanges");
      const subscriber = Object.fromEntries(names.map((name) => [name, note(name)]));
      return { ...subscriber, close: () => void sends.delete(send) };
    },
  };
  const engine = new Proxy({} as Engine, {
    get: (_, service: string) => {
      if (service === "listUnconfirmed") return () => [];
      return new Proxy(
        {},
        {
          get: (__, operation: string) => {
            const name = `${service}.${operation}`;
            // The server asks for every request, before it is known whose it is.
            if (name === "embeddingOrigins.has") return () => false;
            if (name === "embeddingOrigins.onChanged") return () => {};
            if (name === "asks.unaudited") return [];
            if (name === "drafts.onSaved") return () => () => {}; // the server listens; nobody has asked
            return (...args: never[]) => {
              calls.push({ name, args });
              return answers[name] ? answers[name](...args) : {};
            };
          },
        },
      );
    },
  });
  return { engine, calls, answers, sends };
}

export interface StageOptions {
  readonly clocks?: Partial<Clocks>;
  readonly listen?: Partial<ListenOptions>;
  readonly page?: string;
  readonly beatMs?: number;
  /** What a hub of before has left. */
  readonly store?: MemoryStore;
  readonly limits?: Partial<DeviceLimitValues>;
}

export interface Ask {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly command?: string;
}

/** The HTTP server on a port of its own, with an engine that only notes what reaches it. */
export async function openTestServer(options: StageOptions = {}) {
  const store = options.store ?? new MemoryStore();
  const { engine, calls, answers, sends } = listeningEngine();
  const links: { id: string; own: boolean; texts: string[]; closed: boolean }[] = [];
  const runners: RunnerGateway = {
    accept: (device) => {
      const link = { ...device, texts: [] as string[], closed: false };
      links.push(link);
      return {
        receive: (text) => void link.texts.push(text),
        closed: () => void (link.closed = true),
      };
    },
    removeRunner: () => {},
  };
  const logged: string[] = [];
  const served: string[] = [];
  const page = await openPage(options.page);
  const access = await AccessControl.open(store.asStore(), {
    now: Date.now,
    steady: steadyNow,
    ...options.clocks,
  });
  const httpServer = new HttpServer({
    counters: new Counters(),
    handlers,
    engine,
    store: store.asStore(),
    access,
    runners,
    localRunner: () => undefined,
    page: {
      serve: (method, path, headers) => {
        served.push(path);
        return page.serve(method, path, headers);
      },
    },
    log: createLogger((line) => void logged.push(line)),
    version: "0.0.0",
    ...(options.beatMs === undefined ? {} : { heartbeatMs: options.beatMs }),
    ...(options.limits && { limits: options.limits }),
  });
  const listening = await listen({ port: 0, ...options.listen }, httpServer);

  /** A device's key, or a program's token. */
  const getToken = async (role: AnyRole) => (await getDevice(role)).token;
  const getDevice = async (role: AnyRole) => {
    const news = { name: `a ${role}`, role, by: null, how: "a test" };
    const { row, key } = await access.devices.add(news);
    return { row, token: key };
  };
  const ask = async (method: string, path: string, asked: Ask = {}) => {
    const { token, headers, command } = asked;
    const body = signedBody(path, token, asked.body);
    const text = body === undefined ? "" : JSON.stringify(body);
    const shown = token === undefined ? {} : await shownBy(token, method, path, text);
    return fetch(listening.url + path, {
      method,
      headers: {
        ...shown,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "GET" ? {} : { [COMMAND_HEADER]: command ?? randomUUID() }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: text }),
    });
  };
  const shownBy = async (token: string, method: string, path: string, text = "") => ({
    authorization: await authorization(listening.url, token, method, path, text),
  });
  return {
    ...listening,
    access,
    answers,
    ask,
    calls,
    deviceOf: getDevice,
    links,
    logged,
    sends,
    served,
    /** The header that shows who asks. */
    shownBy,
    store,
    tokenOf: getToken,
    async getTicket(token: string): Promise<string> {
      const response = await ask("POST", "/api/tickets", { token });
      return ((await response.json()) as { ticket: string }).ticket;
    },
    [Symbol.asyncDispose]: async () => {
      await listening.close();
      // Every refusal of a route has to be one that the contract declares for it.
      const undeclared = logged.filter((line) => line.includes('"undeclared-error"'));
      if (undeclared.length > 0) throw new Error(undeclared.join(""));
    },
  };
}
export type TestServer = Awaited<ReturnType<typeof openTestServer>>;

/** A stream's client: what came, and how it ended. */
export function openStream(url: string, ticket?: string, headers: Record<string, string> = {}) {
  const shown = ticket === undefined ? [] : [TICKET_PROTOCOL + ticket];
  const protocols = [STREAM_PROTOCOL, ...shown];
  const Client = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const socket = new Client(`${url.replace("http", "ws")}/api/stream`, { headers, protocols });
  const frames: HubFrame[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("message", ({ data }) => {
    frames.push(JSON.parse(String(data)) as HubFrame);
    wake();
  });
  socket.addEventListener("close", ({ code, reason }) => {
    opened.resolve();
    closed.resolve({ code, reason });
  });
  return {
    socket,
    frames,
    opened: opened.promise,
    closed: closed.promise,
    send: (frame: unknown) => socket.send(JSON.stringify(frame)),
    /** The first frame of this type, now or later. */
    frame: <T extends HubFrame["type"]>(type: T) =>
      new Promise<Extract<HubFrame, { type: T }>>((resolve) => {
        const look = () => {
          const found = frames.find((frame) => frame.type === type);
          if (!found) return;
          waiting.delete(look);
          resolve(found as Extract<HubFrame, { type: T }>);
        };
        waiting.add(look);
        look();
      }),
    [Symbol.dispose]: () => socket.close(),
  };
}

/** A stream that has been let in. */
export async function enterStream(testServer: TestServer, token: string) {
  return greeted(testServer.url, await testServer.getTicket(token));
}

export async function greeted(url: string, ticket: string) {
  const stream = openStream(url, ticket);
  await stream.opened;
  stream.send({ type: "hello", version: 1 });
  await stream.frame("welcome");
  return stream;
}
