import type { RelayRouteKey } from "@signalbox/api";
import type { Refusal } from "../engine.ts";
import type { SocketHandler } from "./socket-handler.ts";
import type { Handlers } from "./route.ts";

/** What the HTTP server has found out about whoever asks for a WebSocket of an extension. */
export interface SocketCaller {
  readonly headers: Headers;
  /** Path and query of the request, which a signature names. */
  readonly target: string;
  /** The request comes from this machine, and no proxy stands between. */
  readonly isLocal: boolean;
  /** Counts a wrong credential, and gives the refusal back. */
  readonly wrong: (refusal: Refusal) => Refusal;
}

/** What an extension adds to the HTTP server. */
export interface HttpExtension {
  /** Handlers of routes for which the hub alone only has a refusal. */
  readonly routes?: Partial<Handlers<RelayRouteKey>>;
  /** Origins whose pages may open the extension's WebSockets, beside the hub's own page. */
  readonly origins?: ReadonlySet<string>;
  /** The largest frame that a WebSocket of the extension takes. Bun has one limit for all sockets. */
  readonly maxFrameBytes?: number;
  /**
   * Decides who may open a WebSocket at this path, before the upgrade; rejects with the refusal.
   * Undefined: the extension has nothing at this path. Only paths of `isExtensionPath` are asked for.
   */
  acceptSocket?(path: string, caller: SocketCaller): Promise<SocketHandler> | undefined;
}

/** The paths that the hub leaves to extensions. `/` is the page's unless a WebSocket is asked for. */
export function isExtensionPath(path: string, wantsSocket: boolean): boolean {
  if (path === "/") return wantsSocket;
  const first = path.split("/")[1];
  return first === "ws" || first === "sdk";
}
