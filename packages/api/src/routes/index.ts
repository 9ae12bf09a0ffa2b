import type * as z from "zod";
import { askRoutes } from "./asks.ts";
import { changesRoutes } from "./changes.ts";
import { conversationRoutes } from "./conversation.ts";
import { deviceRoutes } from "./devices.ts";
import { draftRoutes } from "./drafts.ts";
import { exportRoutes } from "./exports.ts";
import { fileRoutes } from "./files.ts";
import { hubRoutes } from "./hub.ts";
import { importRoutes } from "./import.ts";
import { promptRoutes } from "./prompts.ts";
import { relayRoutes } from "./relay.ts";
import type { Method, Route, RouteTable } from "./route.ts";
import { repositoryRoutes } from "./repository.ts";
import { searchRoutes } from "./search.ts";
import { sessionRoutes } from "./sessions.ts";
import { terminalRoutes } from "./terminals.ts";
import { trustRoutes } from "./trust.ts";

/** Every route of the hub, by method and path. The hub answers no others. */
export const routes = {
  ...sessionRoutes,
  ...promptRoutes,
  ...draftRoutes,
  ...conversationRoutes,
  ...changesRoutes,
  ...repositoryRoutes,
  ...fileRoutes,
  ...searchRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...terminalRoutes,
  ...askRoutes,
  ...trustRoutes,
  ...deviceRoutes,
  ...hubRoutes,
  ...relayRoutes,
} as const satisfies RouteTable;

export type Routes = typeof routes;
/** Method and path, such as `POST /api/sessions`. */
export type RouteKey = keyof Routes;
export type OpenKey = RouteKeyOfKind<"open">;
type RouteKeyOfKind<Kind extends Route["kind"]> = {
  [Key in RouteKey]: Routes[Key]["kind"] extends Kind ? Key : never;
}[RouteKey];

export type RouteMethod<Key extends RouteKey> = Key extends `${infer M extends Method} ${string}`
  ? M
  : never;

type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
/** The parameters in the path. */
export type RouteParams<Key extends RouteKey> = {
  readonly [Name in ParameterNames<Key>]: string;
};

/** The query as the hub reads it, with defaults filled in. */
export type RouteQuery<Key extends RouteKey> = Routes[Key] extends { query: infer Q }
  ? z.output<Q>
  : undefined;
/** The query as a client sends it. */
export type SentQuery<Key extends RouteKey> = Routes[Key] extends { query: infer Q }
  ? { readonly [Name in keyof z.input<Q>]: Extract<z.output<Q>[Name & keyof z.output<Q>], unknown> }
  : undefined;

/** The body as the hub reads it, with defaults filled in. */
export type RouteBody<Key extends RouteKey> = Routes[Key] extends { body: infer B }
  ? z.output<B>
  : undefined;
/** The body as a client sends it. */
export type SentBody<Key extends RouteKey> = Routes[Key] extends { body: infer B }
  ? z.input<B>
  : undefined;

/** The body of a successful answer. */
export type RouteAnswer<Key extends RouteKey> = Routes[Key]["response"] extends infer R
  ? R extends "bytes"
    ? Response
    : R extends "nothing"
      ? void
      : z.output<R>
  : never;

export const routeEntries = Object.entries(routes) as readonly (readonly [RouteKey, Route])[];

export type SessionRouteKey = keyof typeof sessionRoutes;
export type PromptRouteKey = keyof typeof promptRoutes;
export type DraftRouteKey = keyof typeof draftRoutes;
export type ConversationRouteKey = keyof typeof conversationRoutes;
export type FileRouteKey = keyof typeof fileRoutes;
export type RepositoryRouteKey = keyof typeof repositoryRoutes;
export type ChangesRouteKey = keyof typeof changesRoutes;
export type SearchRouteKey = keyof typeof searchRoutes;
export type ExportRouteKey = keyof typeof exportRoutes;
export type ImportRouteKey = keyof typeof importRoutes;
export type TerminalRouteKey = keyof typeof terminalRoutes;
export type AskRouteKey = keyof typeof askRoutes;
export type TrustRouteKey = keyof typeof trustRoutes;
export type DeviceRouteKey = keyof typeof deviceRoutes;
export type HubRouteKey = keyof typeof hubRoutes;
export type RelayRouteKey = keyof typeof relayRoutes;
