import type { FileRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const fileHandlers: Handlers<FileRouteKey> = {
  "GET /api/sessions/:session/folder": ({ engine }, { params, query }) =>
    engine.changes.listEntries(params.session, query.path ?? ""),
  "GET /api/sessions/:session/folder/file": ({ engine }, { params, query }) =>
    engine.changes.readFile(params.session, query.path),
  "GET /api/sessions/:session/folder/search": ({ engine }, { params, query }) =>
    engine.changes.searchFiles(params.session, query.text),
};
