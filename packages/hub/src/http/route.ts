import type {
  RouteMethod,
  RouteAnswer,
  RouteBody,
  RouteKey,
  RouteParams,
  RouteQuery,
  Routes,
} from "@signalbox/api";
import type { Access, Person } from "../devices/access.ts";
import type { Engine } from "../engine.ts";
import type { Change, Store } from "../log/store.ts";
import type { DeviceLimits } from "./device-limits.ts";

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
}

export interface Rooms extends ReadRooms {
  readonly limits: DeviceLimits;
  readonly engine: Engine;
  readonly store: Store;
  readonly access: Access;
}

/** A request that was checked against the contract. */
export interface HandlerRequest<Key extends RouteKey> {
  readonly params: RouteParams<Key>;
  readonly query: RouteQuery<Key>;
  readonly body: RouteBody<Key>;
  readonly who: Person;
  /** The id of the command, made by the client; a fresh one for what is no command. */
  readonly command: string;
  /** The receipt of a command's answer, for what is stored together with it. */
  readonly receipt: (answer: RouteAnswer<Key>) => readonly Change[];
  readonly headers: Headers;
  /** Where a person would open the hub: its public name, or the one by which it was asked. */
  readonly origin: string;
}

/** A GET is handed only what cannot change anything; an open route does not know who asks. */
export type Handler<Key extends RouteKey> = (
  rooms: RouteMethod<Key> extends "GET" ? ReadRooms : Rooms,
  request: Routes[Key]["kind"] extends "open"
    ? Omit<HandlerRequest<Key>, "who">
    : HandlerRequest<Key>,
) => RouteAnswer<Key> | Promise<RouteAnswer<Key>>;

/** The handlers of some routes: every one has to be there, and no other may be. */
export type Handlers<Keys extends RouteKey> = { readonly [Key in Keys]: Handler<Key> };
