import type { PromptRouteKey } from "@signalbox/api";
import type { Handlers } from "../route.ts";

export const promptHandlers: Handlers<PromptRouteKey> = {
  "POST /api/sessions/:session/prompts": (
    { engine },
    { params, commandId, body, caller, makeReceipt },
  ) => engine.send(params.session, commandId, body, caller.actor, makeReceipt),
  "GET /api/sessions/:session/prompts/:prompt": ({ engine }, { params }) =>
    engine.prompt(params.session, params.prompt),
  "PATCH /api/sessions/:session/prompts/:prompt": ({ engine }, { params, body }) =>
    engine.movePrompt(params.session, params.prompt, body),
  "DELETE /api/sessions/:session/prompts/:prompt": ({ engine }, { params }) =>
    engine.withdrawPrompt(params.session, params.prompt),
};
