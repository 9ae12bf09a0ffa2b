import type { PromptRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const promptHandlers: Handlers<PromptRouteKey> = {
  "POST /api/sessions/:session/prompts": (
    { engine },
    { params, commandId, body, caller, makeReceipt },
  ) => engine.prompts.send(params.session, commandId, body, caller.actor, makeReceipt),
  "GET /api/sessions/:session/prompts/:prompt": ({ engine }, { params }) =>
    engine.prompts.get(params.session, params.prompt),
  "PATCH /api/sessions/:session/prompts/:prompt": ({ engine }, { params, body }) =>
    engine.prompts.move(params.session, params.prompt, body),
  "DELETE /api/sessions/:session/prompts/:prompt": ({ engine }, { params }) =>
    engine.prompts.withdraw(params.session, params.prompt),
};
