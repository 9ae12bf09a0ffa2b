import type { ConversationRouteKey } from "@signalbox/api/routes";
import { blobResponse } from "../blob-response.ts";
import type { Handlers } from "../route.ts";

export const conversationHandlers: Handlers<ConversationRouteKey> = {
  "GET /api/sessions/:session/items": async ({ engine }, { params, query }) => {
    // One item more than requested is read, to know whether there are more.
    const items = await engine.history.listItems(params.session, query.before, query.limit + 1);
    return { items: items.slice(-query.limit), older: items.length > query.limit };
  },
  "GET /api/sessions/:session/items/:item": ({ engine }, { params }) =>
    engine.history.getItem(params.session, params.item),
  "GET /api/sessions/:session/items/:item/output": ({ engine }, { params }) =>
    engine.history.readTaskOutput(params.session, params.item),
  "GET /api/sessions/:session/changes": async ({ engine }, { params, query }) => {
    const items = await engine.history.listFileChanges(params.session, query.path, query.limit + 1);
    return { items: items.slice(-query.limit), older: items.length > query.limit };
  },
  "GET /api/sessions/:session/lines": async ({ engine }, { params, query }) => {
    const lines = await engine.history.listLines(params.session, {
      ...query,
      limit: query.limit + 1,
    });
    const more = lines.length > query.limit;
    const forwards = query.after !== undefined;
    return { lines: forwards ? lines.slice(0, query.limit) : lines.slice(-query.limit), more };
  },
  "GET /api/sessions/:session/abilities": ({ engine }, { params }) =>
    engine.history.getAbilities(params.session),
  "GET /api/sessions/:session/files": ({ engine }, { params, query }) =>
    engine.folders.findFiles(params.session, query.query),
  "GET /api/folders/files": ({ engine }, { query, caller }) =>
    engine.folders.findFilesBelow(query.runner, query.path, query.query, caller.actor),
  "GET /api/folders": ({ engine }, { query, caller }) =>
    engine.folders.list(query.runner, query.path, caller.actor),
  "GET /api/blobs/:hash": ({ store }, { params, headers }) =>
    blobResponse(store, params.hash, headers.get("range")),
};
