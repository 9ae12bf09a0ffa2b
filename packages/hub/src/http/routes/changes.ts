import type { ChangesRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const changesHandlers: Handlers<ChangesRouteKey> = {
  "GET /api/sessions/:session/working-changes": ({ engine }, { params, query }) =>
    engine.changes.list(params.session, query.against),
  "GET /api/sessions/:session/working-changes/file": ({ engine }, { params, query }) =>
    engine.changes.readDiff(params.session, query),
};
