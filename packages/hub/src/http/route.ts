import { id, type DeviceRole } from "@signalbox/api";
import * as z from "zod";
import type { Access, Person } from "../devices/access.ts";
import type { Discovery } from "../discovery/discovery.ts";
import type { Engine } from "../engine.ts";
import type { Change, Store } from "../log/store.ts";
import type { DeviceLimits } from "./device-limits.ts";
import type { Relay } from "../relay/relay.ts";

/** What a GET may touch: nothing in here changes anything. */
export interface ReadRooms {
  readonly engine: Pick<
    Engine,
    | "unknownAsks"
    | "sessions"
    | "session"
    | "projects"
    | "runners"
    | "asks"
    | "agents"
    | "environments"
    | "items"
    | "changes"
    | "item"
    | "lines"
    | "listFolder"
    | "allowedFolders"
    | "findFiles"
    | "prompt"
    | "taskOutput"
    | "trustDecisions"
    | "folderTrust"
    | "sessionTrust"
  >;
  readonly store: Pick<
    Store,
    | "epoch"
    | "health"
    | "lastCheck"
    | "integrity"
    | "ask"
    | "auditBefore"
    | "auditHead"
    | "verifyAudit"
    | "blob"
    | "blobSize"
  >;
  readonly access: {
    readonly identity: { readonly hub: string };
    readonly hub: Access["hub"];
    readonly auditSigning: Access["auditSigning"];
    readonly book: Pick<
      Access["book"],
      "list" | "view" | "find" | "unknown" | "expiredParents" | "audited"
    >;
    readonly elevations: Pick<Access["elevations"], "waiting" | "find">;
  };
  readonly version: string;
  readonly discovery?: Pick<Discovery, "look">;
}

export interface Rooms extends ReadRooms {
  readonly limits: DeviceLimits;
  readonly discovery?: Discovery;
  /** For agents that dial in; none: it is off. */
  readonly relay?: Relay;
  readonly engine: Engine;
  readonly store: Store;
  readonly access: Access;
}

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What stands in paths, by name. */
export const paramSchemas = {
  session: id,
  prompt: id,
  ask: id,
  device: id,
  elevation: id,
  item: z.string().min(1).max(500),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
} as const;

export interface Asked<Path extends string, Query, Body> {
  readonly params: { readonly [Name in ParamNames<Path>]: string };
  readonly query: Query;
  readonly body: Body;
  readonly who: Person;
  /** The command's id, of the client's making; for what is no command, a fresh one. */
  readonly command: string;
  /** The receipt of a command's answer, for what is stored together with it. */
  readonly receipt: (answer: unknown) => readonly Change[];
  readonly headers: Headers;
  /** Where a person would open the hub: its public name, or the one by which it was asked. */
  readonly origin: string;
}

interface Common<Path extends string, Query> {
  readonly path: Path;
  readonly summary: string;
  readonly query?: z.ZodType<Query>;
  /** Of a success; 200 unless said. */
  readonly status?: number;
  /** What a success carries; `bytes`: the handler gives a Response. */
  readonly response: z.ZodType | "bytes" | "nothing";
}
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
interface Writing<Body> {
  readonly method: Exclude<Method, "GET">;
  readonly body?: z.ZodType<Body>;
  /** In bytes. */
  readonly bodyLimit?: number;
}
type Handler<R, A> = (rooms: R, asked: A) => unknown;

/** A route as the table holds it. */
export interface Route extends Common<string, unknown>, Partial<Omit<Writing<unknown>, "method">> {
  readonly method: Method;
  readonly role: DeviceRole | "open";
  /** Carries an id and leaves a receipt. */
  readonly command: boolean;
  readonly handler: Handler<Rooms, Asked<string, unknown, unknown>>;
}

/** GET: handed only what cannot change anything. */
export function read<Path extends string, Query = undefined>(
  route: Common<Path, Query> & {
    readonly role: DeviceRole;
    readonly handler: Handler<ReadRooms, Asked<Path, Query, undefined>>;
  },
): Route {
  return erased({ ...route, method: "GET", command: false });
}

/** Changes something, once for each id. */
export function command<Path extends string, Query = undefined, Body = undefined>(
  route: Common<Path, Query> &
    Writing<Body> & {
      readonly role: DeviceRole;
      readonly handler: Handler<Rooms, Asked<Path, Query, Body>>;
    },
): Route {
  return erased({ ...route, command: true });
}

/** Answers with a secret, or to somebody who has none yet: no receipt may keep that. */
export function secret<Path extends string, Query = undefined, Body = undefined>(
  route: Common<Path, Query> &
    Writing<Body> & {
      readonly role: DeviceRole;
      readonly handler: Handler<Rooms, Asked<Path, Query, Body>>;
    },
): Route {
  return erased({ ...route, command: false });
}

/** For whoever has no credential. */
export function open<Path extends string, Body>(
  route: Common<Path, undefined> &
    Writing<Body> & {
      readonly handler: Handler<Rooms, Omit<Asked<Path, undefined, Body>, "who">>;
    },
): Route {
  return erased({ ...route, role: "open", command: false });
}

/** Handlers are checked against their own schemas above; the table knows them by what they share. */
function erased(route: Omit<Route, "handler"> & { handler: unknown }): Route {
  return route as Route;
}
