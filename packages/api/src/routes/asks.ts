import * as z from "zod";
import { askView, newAnswer } from "../schemas/ask.ts";
import type { RouteTable } from "./route.ts";

export const askRoutes = {
  "GET /api/asks": {
    name: "listAsks",
    kind: "read",
    tag: "Asks",
    role: "viewer",
    summary: "List everything that waits for a person",
    response: z.array(askView),
  },
  "GET /api/asks/:ask": {
    name: "getAsk",
    kind: "read",
    tag: "Asks",
    role: "viewer",
    summary: "Get one ask, open or not",
    response: askView,
  },
  "POST /api/asks/:ask/answer": {
    name: "answerAsk",
    kind: "command",
    tag: "Asks",
    role: "approver",
    summary: "Answer an ask",
    description:
      "The first valid answer counts. `hash` is that of the ask as it was shown: another input has another hash, and the answer is refused.",
    body: newAnswer,
    bodyLimit: 8 * 1024 * 1024,
    response: askView,
    errors: [
      "already-answered",
      "askless-mode",
      "expired",
      "no-such-ask",
      "no-such-suggestion",
      "policy-forbids",
      "signature-needed",
      "stale-hash",
      "wrong-answer",
      "wrong-decision",
      "wrong-signature",
    ],
  },
} as const satisfies RouteTable;
