import type { Counters } from "../metrics/counters.ts";
import type { RouteAnswer, RouteKey, RouteParams } from "@signalbox/api";
import type { RouteMethod, RouteBody, RouteQuery, Routes } from "@signalbox/api/routes";
import type { AccessControl, Person } from "../devices/access-control.ts";
import type { Engine, ReadEngine } from "../engine.ts";
import type { Change, Store } from "../store/store.ts";
import type { DeviceLimits } from "./device-limits.ts";

/** The services that a GET may use. Nothing in here changes anything. */
export interface ReadServices {
  readonly engine: ReadEngine;
  readonly store: Pick<
    Store,
    | "epoch"
    | "health"
    | "lastCheck"
    | "checkIntegrity"
    | "ask"
    | "auditBefore"
    | "auditHead"
    | "verifyAudit"
    | "blob"
    | "blobSize"
  >;
  readonly access: {
    readonly identity: { readonly hub: string };
    readonly hub: AccessControl["hub"];
    readonly auditSigning: AccessControl["auditSigning"];
    readonly auditHead: Pick<AccessControl["auditHead"], "missing" | "problem">;
    readonly devices: Pick<
      AccessControl["devices"],
      "list" | "view" | "find" | "unauditedRows" | "expiredParents" | "audited"
    >;
    readonly elevations: Pick<AccessControl["elevations"], "listWaiting" | "find">;
  };
  readonly version: string;
  readonly counters: Counters;
}

export interface Services extends ReadServices {
  readonly limits: DeviceLimits;
  readonly engine: Engine;
  readonly store: Store;
  readonly access: AccessControl;
}

/** A request that was checked against the contract. */
export interface HandlerRequest<Key extends RouteKey> {
  readonly params: RouteParams<Key>;
  readonly query: RouteQuery<Key>;
  readonly body: RouteBody<Key>;
  readonly caller: Person;
  /** The id of the command, made by the client; for a request that is no command, a new one. */
  readonly commandId: string;
  /** Creates the receipt of a command's answer, to be stored together with the command's own changes. */
  readonly makeReceipt: (answer: RouteAnswer<Key>) => readonly Change[];
  readonly headers: Headers;
  /** The origin at which a person would open the hub: its public name, or the one in this request. */
  readonly origin: string;
  /** The origin of another program's page that sent the request. */
  readonly embeddingOrigin: string | undefined;
}

/**
 * The handler of a route. A GET only gets services that change nothing, and an open route does not know its
 * caller.
 */
type Handler<Key extends RouteKey> = (
  services: RouteMethod<Key> extends "GET" ? ReadServices : Services,
  request: Routes[Key]["kind"] extends "open"
    ? Omit<HandlerRequest<Key>, "caller">
    : HandlerRequest<Key>,
) => RouteAnswer<Key> | Promise<RouteAnswer<Key>>;

/** The handlers of some routes: each must be there, and no other may be. */
export type Handlers<Keys extends RouteKey> = { readonly [Key in Keys]: Handler<Key> };
