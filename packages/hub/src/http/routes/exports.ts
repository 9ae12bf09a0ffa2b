import type { ExportRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const exportHandlers: Handlers<ExportRouteKey> = {
  "GET /api/sessions/:session/export": ({ engine }, { params, query }) =>
    engine.exports.export(params.session, query),
  "GET /api/sessions/:session/export/preview": ({ engine }, { params, query }) =>
    engine.exports.preview(params.session, query),
};
