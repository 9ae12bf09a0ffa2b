import type { DraftRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const draftHandlers: Handlers<DraftRouteKey> = {
  "GET /api/drafts": ({ engine }) => engine.drafts.list(),
  "PUT /api/drafts": ({ engine }, { body, caller, makeReceipt }) =>
    engine.drafts.save(body, caller.actor, makeReceipt),
};
