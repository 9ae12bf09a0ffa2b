/** What a server needs to attach handlers to the routes, and a generator to describe them. */
export {
  routeEntries,
  type Routes,
  type RouteMethod,
  type RouteQuery,
  type RouteBody,
  type SessionRouteKey,
  type PromptRouteKey,
  type ConversationRouteKey,
  type TerminalRouteKey,
  type AskRouteKey,
  type TrustRouteKey,
  type DeviceRouteKey,
  type ChangesRouteKey,
  type FileRouteKey,
  type RepositoryRouteKey,
  type SearchRouteKey,
  type ExportRouteKey,
  type ImportRouteKey,
  type DraftRouteKey,
  type HubRouteKey,
  type RelayRouteKey,
} from "./routes/index.ts";
export { getRole, splitKey, type Method, type Route } from "./routes/route.ts";
export { pathParameters } from "./routes/parameters.ts";
export { apiErrors, getStatuses } from "./routes/errors.ts";
export { apiTags, type TagName } from "./routes/tags.ts";
