import type { AskView } from "@signalbox/api";
import type { AskRouteKey } from "@signalbox/api/routes";
import { HubRefusal } from "../../engine.ts";
import type { Handlers } from "../route.ts";

export const askHandlers: Handlers<AskRouteKey> = {
  "GET /api/asks": ({ engine }) => engine.asks.list(),
  "GET /api/asks/:ask": async ({ store }, { params }) => {
    const row = await store.ask(params.ask);
    if (!row) throw new HubRefusal(404, "not-found", "No request has this id.");
    return JSON.parse(row.json) as AskView;
  },
  "POST /api/asks/:ask/answer": ({ engine, access }, { params, body, caller, makeReceipt }) => {
    const { hash, decision, signature } = body;
    const signed = access.verifyDecision(caller, { id: params.ask, hash }, decision, signature);
    return engine.asks.answer(params.ask, body, caller.actor, makeReceipt, signed);
  },
};
