import { type AskView, askView, newAnswer } from "@signalbox/api";
import * as z from "zod";
import { Refusal } from "../../engine.ts";
import { command, read } from "../route.ts";

export const askRoutes = [
  read({
    path: "/api/asks",
    role: "viewer",
    summary: "Everything that waits for a person",
    response: z.array(askView),
    handler: ({ engine }) => engine.asks(),
  }),
  read({
    path: "/api/asks/:ask",
    role: "viewer",
    summary: "One ask, open or not",
    response: askView,
    handler: async ({ store }, { params }) => {
      const row = await store.ask(params.ask);
      if (!row) throw new Refusal(404, "not-found", "There is no ask of this id.");
      return JSON.parse(row.json) as AskView;
    },
  }),
  command({
    method: "POST",
    path: "/api/asks/:ask/answer",
    role: "approver",
    summary: "A person's decision; the first that is valid holds",
    body: newAnswer,
    bodyLimit: 8 * 1024 * 1024,
    response: askView,
    handler: ({ engine, access }, { params, body, who, receipt }) => {
      const { hash, decision, signature } = body;
      const signed = access.signedDecision(who, { id: params.ask, hash }, decision, signature);
      return engine.answer(params.ask, body, who.actor, receipt, signed);
    },
  }),
];
