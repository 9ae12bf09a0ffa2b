import type { RelayRouteKey } from "@signalbox/api/routes";
import type { HubRefusal } from "../engine.ts";
import type { SocketHandler } from "./socket-handler.ts";
import type { Handlers } from "./route.ts";

/** What the HTTP server knows about a client that opens a WebSocket of an extension. */
export interface SocketCaller {
  readonly headers: Headers;
  /** The path and query of the request, which a signature covers. */
  readonly target: string;
  /** Whether the request comes from this machine without a proxy in between. */
  readonly isLocal: boolean;
  /** Counts a wrong credential, and returns the refusal that it is given. */
  readonly wrong: (refusal: HubRefusal) => HubRefusal;
}

/** What an extension adds to the HTTP server. */
export interface HttpExtension {
  /** Handlers of routes that the hub alone refuses. */
  readonly routes?: Partial<Handlers<RelayRouteKey>>;
  /** Origins whose pages may open the extension's WebSockets, in addition to the hub's own page. */
  readonly origins?: ReadonlySet<string>;
  /** The largest frame that a WebSocket of the extension accepts. Bun has one limit for all sockets. */
  readonly maxFrameBytes?: number;
  /**
   * Decides before the upgrade who may open a WebSocket at this path; rejects with the refusal. Undefined:
   * the extension has nothing at this path. Only called for paths of `isExtensionPath`.
   */
  acceptSocket?(path: string, caller: SocketCaller): Promise<SocketHandler> | undefined;
}

/** Whether the hub leaves this path to extensions. `/` is the page's unless the request opens a WebSocket. */
export function isExtensionPath(path: string, wantsSocket: boolean): boolean {
  if (path === "/") return wantsSocket;
  const first = path.split("/")[1];
  return first === "ws" || first === "sdk";
}
