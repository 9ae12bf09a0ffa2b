import type { SearchRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const searchHandlers: Handlers<SearchRouteKey> = {
  "GET /api/search": ({ engine }, { query }) => engine.search.search(query),
};
