import type { ImportRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const importHandlers: Handlers<ImportRouteKey> = {
  "GET /api/import": ({ engine }) => engine.imports.getStatus(),
  "PUT /api/import": ({ engine }, { body, caller }) => engine.imports.set(body, caller.actor),
  "POST /api/import": ({ engine }, { body, caller }) => engine.imports.start(body, caller.actor),
};
