import { STREAM_PROTOCOL, TICKET_PROTOCOL } from "@signalbox/api";
import type { Server } from "bun";
import type { Access } from "../devices/access.ts";
import { type Engine, Refusal, type RunnerGateway } from "../engine.ts";
import type { Store } from "../log/store.ts";
import { AFTER_ANSWER } from "./connection-idle.ts";
import type { Conversation } from "./conversation.ts";
import { type AllowedHosts, guardHost, guardOrigin, peerOf, plainAddress } from "./guards.ts";
import { type HttpExtension, isExtensionPath, type SocketCaller } from "./extension.ts";
import { DeviceLimits, type DeviceLimitValues } from "./device-limits.ts";
import { secured } from "./headers.ts";
import { LINK_PATH, LINK_PROTOCOL, LinkDoor } from "./link-door.ts";
import type { Log } from "./log.ts";
import type { Page } from "./page.ts";
import { asRefusal, problemResponse, refusalHeaders } from "./problems.ts";
import { hasUnreadBody } from "./read-json.ts";
import type { Rooms } from "./route.ts";
import { identify, router, type Visit, wrongGuess } from "./router.ts";
import { Sockets } from "./sockets.ts";
import { StreamDoor } from "./stream-door.ts";

export const STREAM_PATH = "/api/stream";

export interface DoorOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly access: Access;
  readonly runners: RunnerGateway;
  readonly ownRunner: () => string | undefined;
  readonly page: Page;
  readonly log: Log;
  readonly version: string;
  readonly beatMs?: number;
  /** What one device may hold, where it is not the usual. */
  readonly limits?: Partial<DeviceLimitValues>;
  readonly extensions?: readonly HttpExtension[];
}

/** How one listening socket is to be reached. */
export interface Threshold {
  readonly hosts: AllowedHosts;
  /** The declared proxy: its word about others counts. */
  readonly proxy: string | undefined;
  /** Nobody but the proxy may come this way. */
  readonly proxyOnly: boolean;
  /** Where connections come from, when it was checked as they were accepted; otherwise Bun is asked. */
  readonly peer?: string;
}

/** Everything that comes in over HTTP: guards first, then sockets, routes and the page's files. */
export class Door {
  readonly sockets: Sockets;
  readonly #rooms: Rooms;
  readonly #page: Page;
  readonly #log: Log;
  #publicOrigin: string | undefined;
  readonly #app: ReturnType<typeof router>;
  readonly #streams: StreamDoor;
  readonly #links: LinkDoor;
  readonly #extensions: readonly HttpExtension[];

  constructor(options: DoorOptions) {
    const { engine, store, access, version, log, extensions = [] } = options;
    this.#extensions = extensions;
    const limits = new DeviceLimits(options.limits);
    access.book.onRevoked((device) => limits.forget(device));
    this.#rooms = {
      limits,
      engine,
      store,
      access,
      version,
    };
    this.#page = options.page;
    this.#log = log;
    this.sockets = new Sockets(
      options.beatMs,
      extensions.map(({ maxFrameBytes }) => maxFrameBytes),
    );
    this.#app = router(this.#rooms, log, extensions);
    this.#streams = new StreamDoor(this.#rooms);
    this.#links = new LinkDoor(access, options.runners, options.ownRunner);
  }

  /** Where other devices reach the hub: what it makes links with. Known once it listens. */
  setPublicOrigin(origin: string | undefined): void {
    this.#publicOrigin = origin;
  }

  /** Undefined: it has become a WebSocket. */
  async enter(
    request: Request,
    server: Server<Conversation>,
    threshold: Threshold,
  ): Promise<Response | undefined> {
    try {
      const response = await this.#answer(request, server, threshold);
      return response && secured(closing(request, response));
    } catch (error) {
      const refusal = asRefusal(error);
      if (!refusal) this.#log.error("request-failed", { error: String(error) });
      const said =
        refusal ?? new Refusal(500, "failure", "The hub failed at this; its log says more.");
      return secured(closing(request, problemResponse(said, refusalHeaders(said))));
    }
  }

  async #answer(
    request: Request,
    server: Server<Conversation>,
    { hosts, proxy, proxyOnly, peer }: Threshold,
  ): Promise<Response | undefined> {
    const address = peer ?? server.requestIP(request)?.address;
    if (proxyOnly && (!address || !proxy || plainAddress(address) !== plainAddress(proxy))) {
      throw new Refusal(403, "not-the-proxy", "Only the declared proxy may come this way.");
    }
    const origin = guardHost(request.headers, hosts);
    const path = new URL(request.url).pathname;
    const isExtensions = isExtensionPath(path, wantsSocket(request));
    if (!isExtensions || !this.#isExtensionOrigin(request)) guardOrigin(request.headers, origin);
    const visit: Visit = {
      origin: this.#publicOrigin ?? origin,
      peer: peerOf(request.headers, address, proxy),
      // A stop takes its time, and so does a long prompt on a slow line.
      letIn: () => server.timeout(request, 0),
    };
    if (isExtensions) return this.#openExtension(path, request, server, visit, proxy !== undefined);
    if (path === STREAM_PATH || path === LINK_PATH) {
      return this.#upgrade(path, request, server, visit);
    }
    if (path === "/api" || path.startsWith("/api/")) {
      try {
        return await this.#app.fetch(request, visit);
      } finally {
        // The connection is kept for the next call, and must not be kept for one who is gone.
        server.timeout(request, AFTER_ANSWER);
      }
    }
    if (path === "/health") return new Response("ok");
    return this.#page.serve(request.method, path, request.headers);
  }

  #upgrade(
    path: string,
    request: Request,
    server: Server<Conversation>,
    visit: Visit,
  ): Response | undefined {
    const wants = wantsSocket(request);
    // A stream shows its ticket; whoever shows a token beside it shows a right one.
    const byTicket = path === STREAM_PATH && wants && !request.headers.has("authorization");
    const credential = byTicket ? undefined : identify(this.#rooms, visit, request).credential;
    if (!wants) {
      throw new Refusal(426, "websocket-needed", `${path} is a WebSocket: ask for an upgrade.`);
    }
    const linked = path === LINK_PATH &&
      credential && {
        data: this.#links.visit(credential, request.headers),
        headers: { "sec-websocket-protocol": LINK_PROTOCOL },
      };
    if (server.upgrade(request, linked || this.#streamed(request, visit))) return undefined;
    throw new Refusal(400, "bad-upgrade", "This upgrade to a WebSocket is not whole.");
  }

  #isExtensionOrigin({ headers }: Request): boolean {
    const origin = headers.get("origin");
    return origin !== null && this.#extensions.some(({ origins }) => origins?.has(origin));
  }

  /** Opens a WebSocket of an extension's. Who may come in is known before anything is opened. */
  async #openExtension(
    path: string,
    request: Request,
    server: Server<Conversation>,
    visit: Visit,
    proxied: boolean,
  ): Promise<undefined> {
    const caller: SocketCaller = {
      headers: request.headers,
      target: targetOf(request),
      isLocal: !proxied && isLoopback(visit.peer) && !wasPassedOn(request.headers),
      wrong: (refusal) => wrongGuess(this.#rooms, visit, refusal),
    };
    const data = await this.#acceptSocket(path, caller);
    if (!wantsSocket(request)) {
      throw new Refusal(426, "websocket-needed", "This is a WebSocket: ask for an upgrade.");
    }
    if (server.upgrade(request, { data })) return undefined;
    throw new Refusal(400, "bad-upgrade", "This upgrade to a WebSocket is not whole.");
  }

  #acceptSocket(path: string, caller: SocketCaller): Promise<Conversation> {
    for (const extension of this.#extensions) {
      const accepted = extension.acceptSocket?.(path, caller);
      if (accepted) return accepted;
    }
    throw new Refusal(404, "no-relay", "The relay is off, or has nothing here.");
  }

  #streamed(request: Request, visit: Visit): { data: Conversation; headers: HeadersInit } {
    const data = this.#streams.visit(request.headers);
    if (data === "nobody") {
      const detail = `A stream is opened with a ticket of POST /api/tickets, as the subprotocols "${STREAM_PROTOCOL}" and "${TICKET_PROTOCOL}" with the ticket.`;
      throw new Refusal(401, "no-credential", detail);
    }
    if (data === "wrong") {
      const detail =
        "This ticket is wrong, used or too old: tickets hold for thirty seconds and once.";
      throw wrongGuess(this.#rooms, visit, new Refusal(401, "wrong-ticket", detail));
    }
    return { data, headers: { "sec-websocket-protocol": STREAM_PROTOCOL } };
  }
}

/** Whoever was answered before all had come is not listened to any longer: Bun would read it to its end. */
function closing(request: Request, response: Response): Response {
  if (hasUnreadBody(request)) response.headers.set("connection", "close");
  return response;
}

/** A proxy of this machine that nobody declared speaks for somebody who may be anywhere. */
function wasPassedOn(headers: Headers): boolean {
  return ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some((name) => headers.has(name));
}

/** Path and query, as a signature names them. */
function targetOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function wantsSocket(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}
