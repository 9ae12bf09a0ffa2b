import type { ChangesRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const changesHandlers: Handlers<ChangesRouteKey> = {
  "GET /api/sessions/:session/working-changes": ({ engine }, { params, query }) =>
    engine.changes.list(params.session, query.against),
  "GET /api/sessions/:session/working-changes/file": ({ engine }, { params, query }) =>
    engine.changes.readDiff(params.session, query),
  "POST /api/sessions/:session/working-changes/stage": ({ engine }, { commandId, params, body }) =>
    engine.changes.stage(commandId, params.session, body),
  "POST /api/sessions/:session/working-changes/unstage": (
    { engine },
    { commandId, params, body },
  ) => engine.changes.unstage(commandId, params.session, body),
  "POST /api/sessions/:session/working-changes/revert": ({ engine }, { commandId, params, body }) =>
    engine.changes.revert(commandId, params.session, body),
  "POST /api/sessions/:session/working-changes/undo": ({ engine }, { commandId, params, body }) =>
    engine.changes.undo(commandId, params.session, body),
};
