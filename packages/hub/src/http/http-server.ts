import { isLoopbackHost } from "@signalbox/protocol/proxy";
import type { RouteKey } from "@signalbox/api";
import { STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api/constants";
import type { Server } from "bun";
import type { AccessControl } from "../devices/access-control.ts";
import { type Engine, HubRefusal, type RunnerGateway } from "../engine.ts";
import type { Counters } from "../metrics/counters.ts";
import type { Store } from "../store/store.ts";
import { AUTHENTICATED_HEADER, KEEP_ALIVE_SECONDS } from "./idle-timeout.ts";
import type { SocketHandler } from "./socket-handler.ts";
import {
  type AllowedHosts,
  requireKnownHost,
  requireSameOrigin,
  getPeerAddress,
  normalizeAddress,
} from "./request-checks.ts";
import { addEmbeddingHeaders, answerPreflight, findEmbeddingOrigin } from "./embedding.ts";
import { type HttpExtension, isExtensionPath, type SocketCaller } from "./extension.ts";
import { DeviceLimits, type DeviceLimitValues } from "./device-limits.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { LINK_PATH, LINK_PROTOCOL, RunnerEndpoint } from "./runner-endpoint.ts";
import type { Logger } from "../logging/logger.ts";
import type { Page } from "./page.ts";
import { toRefusal, problemResponse, getRefusalHeaders } from "./problems.ts";
import { discardBody } from "./read-json.ts";
import type { Handlers, Services } from "./route.ts";
import {
  authenticateRequest,
  createRouter,
  METRICS_PATH,
  type RequestContext,
  countWrongGuess,
} from "./router.ts";
import { SocketRegistry } from "./socket-registry.ts";
import { StreamEndpoint } from "./stream-endpoint.ts";

const STREAM_PATH = "/api/stream";

interface HttpServerOptions {
  readonly handlers: Handlers<RouteKey>;
  readonly engine: Engine;
  readonly store: Store;
  readonly access: AccessControl;
  readonly runners: RunnerGateway;
  readonly localRunner: () => string | undefined;
  readonly page: Page;
  readonly log: Logger;
  readonly version: string;
  readonly counters: Counters;
  readonly heartbeatMs?: number;
  /** Limits of one device that differ from the defaults. */
  readonly limits?: Partial<DeviceLimitValues>;
  readonly extensions?: readonly HttpExtension[];
}

/** Which requests one listening socket accepts. */
export interface ListenerPolicy {
  readonly hosts: AllowedHosts;
  /** The declared proxy, which is the only one whose forwarded headers are trusted. */
  readonly proxy: string | undefined;
  /** Only the proxy may connect to this socket. */
  readonly proxyOnly: boolean;
  /** The address of the peer if it was checked when the connection was accepted; otherwise Bun is asked. */
  readonly peer?: string;
}

/** Answers every HTTP request: checks Host and Origin first, then opens sockets, calls routes or serves the page's files. */
export class HttpServer {
  readonly sockets: SocketRegistry;
  readonly #services: Services;
  readonly #page: Page;
  readonly #log: Logger;
  #publicOrigin: string | undefined;
  readonly #router: ReturnType<typeof createRouter>;
  readonly #streamEndpoint: StreamEndpoint;
  readonly #runnerEndpoint: RunnerEndpoint;
  readonly #extensions: readonly HttpExtension[];

  constructor(options: HttpServerOptions) {
    const { engine, store, access, version, counters, log, extensions = [] } = options;
    this.#extensions = extensions;
    const limits = new DeviceLimits(options.limits);
    access.devices.onRevoked((device) => limits.forget(device));
    this.#services = {
      limits,
      engine,
      store,
      access,
      version,
      counters,
    };
    this.#page = options.page;
    this.#log = log;
    this.sockets = new SocketRegistry(
      options.heartbeatMs,
      extensions.map(({ maxFrameBytes }) => maxFrameBytes),
    );
    this.#router = createRouter(options.handlers, this.#services, log, extensions);
    this.#streamEndpoint = new StreamEndpoint(this.#services);
    this.#runnerEndpoint = new RunnerEndpoint(access, options.runners, options.localRunner);
  }

  /**
   * Sets the origin under which other devices reach the hub, which is used in links. It is known once the hub
   * listens.
   */
  setPublicOrigin(origin: string | undefined): void {
    this.#publicOrigin = origin;
  }

  /** Answers a request. Undefined: it was upgraded to a WebSocket. */
  async handle(
    request: Request,
    server: Server<SocketHandler>,
    policy: ListenerPolicy,
  ): Promise<Response | undefined> {
    try {
      const response = await this.#answer(request, server, policy);
      return response && this.#finish(request, policy, response);
    } catch (error) {
      const refusal = toRefusal(error);
      if (!refusal) this.#log.error("request-failed", { error: String(error) });
      const explanation =
        refusal ?? new HubRefusal(500, "failure", "The hub failed at this; its log says more.");
      return this.#finish(
        request,
        policy,
        problemResponse(explanation, getRefusalHeaders(explanation)),
      );
    }
  }

  async #finish(request: Request, policy: ListenerPolicy, response: Response): Promise<Response> {
    const read = addSecurityHeaders(await closeIfUnread(request, response));
    return addEmbeddingHeaders(read, this.#findEmbeddingOrigin(request, policy));
  }

  #findEmbeddingOrigin({ headers, url }: Request, { hosts }: ListenerPolicy): string | undefined {
    const host = headers.get("host") ?? "";
    const scheme = hosts.get(host);
    if (scheme === undefined) return undefined;
    const { embeddingOrigins } = this.#services.engine;
    return findEmbeddingOrigin(
      headers,
      new URL(url).pathname,
      `${scheme}://${host}`,
      embeddingOrigins,
    );
  }

  async #answer(
    request: Request,
    server: Server<SocketHandler>,
    policy: ListenerPolicy,
  ): Promise<Response | undefined> {
    const { hosts, proxy, proxyOnly, peer } = policy;
    const address = peer ?? server.requestIP(request)?.address;
    if (
      proxyOnly &&
      (!address || !proxy || normalizeAddress(address) !== normalizeAddress(proxy))
    ) {
      throw new HubRefusal(403, "not-the-proxy", "Only the declared proxy may come this way.");
    }
    const origin = requireKnownHost(request.headers, hosts);
    const path = new URL(request.url).pathname;
    const isExtensions = isExtensionPath(path, isUpgradeRequest(request));
    const embeddingOrigin = this.#findEmbeddingOrigin(request, policy);
    if (embeddingOrigin === undefined && !(isExtensions && this.#isExtensionOrigin(request)))
      requireSameOrigin(request.headers, origin);
    const preflight = embeddingOrigin !== undefined && answerPreflight(request);
    if (preflight) return preflight;
    let isAuthenticated = false;
    const context: RequestContext = {
      origin: this.#publicOrigin ?? origin,
      peer: getPeerAddress(request.headers, address, proxy),
      embeddingOrigin,
      // Some requests take long, such as stopping a session or sending a long prompt over a slow connection.
      removeTimeout: () => {
        isAuthenticated = true;
        server.timeout(request, 0);
      },
    };
    if (isExtensions)
      return this.#openExtension(path, request, server, context, proxy !== undefined);
    if (path === STREAM_PATH || path === LINK_PATH) {
      return this.#upgrade(path, request, server, context);
    }
    if (path === "/api" || path.startsWith("/api/") || path === METRICS_PATH) {
      try {
        const response = await this.#router.fetch(request, context);
        if (isAuthenticated) response.headers.set(AUTHENTICATED_HEADER, "yes");
        return response;
      } finally {
        // The connection is kept alive for the next request, but not for a client that is gone.
        server.timeout(request, KEEP_ALIVE_SECONDS);
      }
    }
    if (path === "/health") return new Response("ok");
    return this.#page.serve(request.method, path, request.headers);
  }

  #upgrade(
    path: string,
    request: Request,
    server: Server<SocketHandler>,
    context: RequestContext,
  ): Response | undefined {
    const wants = isUpgradeRequest(request);
    // A stream is opened with a ticket. If the request has a token, too, the token must be valid.
    const byTicket = path === STREAM_PATH && wants && !request.headers.has("authorization");
    const credential = byTicket
      ? undefined
      : authenticateRequest(this.#services, context, request).credential;
    if (!wants) {
      throw new HubRefusal(426, "websocket-needed", `${path} is a WebSocket: ask for an upgrade.`);
    }
    const runnerUpgrade = path === LINK_PATH &&
      credential && {
        data: this.#runnerEndpoint.accept(credential, request.headers),
        headers: { "sec-websocket-protocol": LINK_PROTOCOL },
      };
    if (server.upgrade(request, runnerUpgrade || this.#acceptStream(request, context)))
      return undefined;
    throw new HubRefusal(400, "bad-upgrade", "This upgrade to a WebSocket is not whole.");
  }

  #isExtensionOrigin({ headers }: Request): boolean {
    const origin = headers.get("origin");
    return origin !== null && this.#extensions.some(({ origins }) => origins?.has(origin));
  }

  /** Opens a WebSocket of an extension. The client is authenticated before anything is opened. */
  async #openExtension(
    path: string,
    request: Request,
    server: Server<SocketHandler>,
    context: RequestContext,
    proxied: boolean,
  ): Promise<undefined> {
    const caller: SocketCaller = {
      headers: request.headers,
      target: getRequestTarget(request),
      isLocal: !proxied && isLoopbackHost(context.peer) && !isForwarded(request.headers),
      wrong: (refusal) => countWrongGuess(this.#services, context, refusal),
    };
    const data = await this.#acceptSocket(path, caller);
    if (!isUpgradeRequest(request)) {
      throw new HubRefusal(426, "websocket-needed", "This is a WebSocket: ask for an upgrade.");
    }
    if (server.upgrade(request, { data })) return undefined;
    throw new HubRefusal(400, "bad-upgrade", "This upgrade to a WebSocket is not whole.");
  }

  #acceptSocket(path: string, caller: SocketCaller): Promise<SocketHandler> {
    for (const extension of this.#extensions) {
      const accepted = extension.acceptSocket?.(path, caller);
      if (accepted) return accepted;
    }
    throw new HubRefusal(404, "no-relay", "The relay is off, or has nothing here.");
  }

  #acceptStream(
    request: Request,
    context: RequestContext,
  ): { data: SocketHandler; headers: HeadersInit } {
    const data = this.#streamEndpoint.accept(request.headers, context.embeddingOrigin);
    if (data === "nobody") {
      const detail = `A stream is opened with a ticket of POST /api/tickets, as the subprotocols "${STREAM_PROTOCOL}" and "${TICKET_PROTOCOL}" with the ticket.`;
      throw new HubRefusal(401, "no-credential", detail);
    }
    if (data === "wrong") {
      const detail =
        "This ticket is wrong, used or too old: tickets hold for thirty seconds and once.";
      throw countWrongGuess(this.#services, context, new HubRefusal(401, "wrong-ticket", detail));
    }
    return { data, headers: { "sec-websocket-protocol": STREAM_PROTOCOL } };
  }
}

/**
 * Closes the connection of a request that was answered before its body was read, because Bun would read all
 * of the body.
 */
async function closeIfUnread(request: Request, response: Response): Promise<Response> {
  if (!(await discardBody(request))) response.headers.set("connection", "close");
  return response;
}

/**
 * Whether an undeclared proxy on this machine has forwarded the request, which may then come from anywhere.
 */
function isForwarded(headers: Headers): boolean {
  return ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some((name) => headers.has(name));
}

/** The path and query of a request, as a signature covers them. */
function getRequestTarget({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function isUpgradeRequest(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}
