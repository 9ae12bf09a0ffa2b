import type * as z from "zod";
import type { DeviceRole } from "../schemas/device.ts";
import type { ErrorCode } from "./errors.ts";
import type { TagName } from "./tags.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface RouteInfo {
  /** The name of the operation, unique in the contract. */
  readonly name: string;
  readonly tag: TagName;
  /** What the route does, in one line. */
  readonly summary: string;
  /** Further information for callers. */
  readonly description?: string;
  readonly query?: z.ZodObject;
  /** The status of a successful answer; 200 by default. */
  readonly status?: number;
  /** The body of a successful answer. */
  readonly response: z.ZodType | "bytes" | "nothing";
  /** The error codes of this route, beside those that every route of its kind can answer with. */
  readonly errors?: readonly ErrorCode[];
}

interface RequestBody {
  readonly body?: z.ZodType;
  /** The largest body in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
}

/** A route that reads and changes nothing. */
interface ReadRoute extends RouteInfo {
  readonly kind: "read";
  readonly role: DeviceRole;
}

/** A route that changes something, once for each command id: the answer is stored as a receipt. */
interface CommandRoute extends RouteInfo, RequestBody {
  readonly kind: "command";
  readonly role: DeviceRole;
}

/** A route that answers with a secret, which no receipt may store. */
interface SecretRoute extends RouteInfo, RequestBody {
  readonly kind: "secret";
  readonly role: DeviceRole;
}

/** A route that needs no credential. */
interface OpenRoute extends RouteInfo, RequestBody {
  readonly kind: "open";
}

export type Route = ReadRoute | CommandRoute | SecretRoute | OpenRoute;

/** Routes by method and path, such as `GET /api/sessions/:session`. */
export type RouteTable = Readonly<{
  [Key in `GET /api/${string}`]: ReadRoute;
}> &
  Readonly<{
    [Key in `${Exclude<Method, "GET">} /api/${string}`]: CommandRoute | SecretRoute | OpenRoute;
  }>;

/** The role that a route needs; undefined if the route is open. */
export function getRole(route: Route): DeviceRole | undefined {
  return route.kind === "open" ? undefined : route.role;
}

export function splitKey(key: string): { method: Method; path: string } {
  const space = key.indexOf(" ");
  return { method: key.slice(0, space) as Method, path: key.slice(space + 1) };
}

/** The names of the parameters in a path. */
export function pathParameterNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}
