import * as z from "zod";
import { newPrompt, queuedPrompt } from "../schemas/session.ts";
import type { RouteTable } from "./route.ts";
import { PROMPT_LIMIT } from "./sessions.ts";

export const promptRoutes = {
  "POST /api/sessions/:session/prompts": {
    name: "sendMessage",
    kind: "command",
    tag: "Messages",
    role: "driver",
    summary: "Send a message to the agent",
    description:
      "The hub has stored the message when it answers, and keeps it until it has arrived. The message gets the id of the command.",
    body: newPrompt,
    bodyLimit: PROMPT_LIMIT,
    status: 202,
    response: queuedPrompt,
    errors: [
      "bad-image",
      "context-with-command",
      "empty-prompt",
      "no-such-session",
      "prompt-id-used",
      "runner-away",
      "too-many-prompts",
    ],
  },
  "GET /api/sessions/:session/prompts/:prompt": {
    name: "getMessage",
    kind: "read",
    tag: "Messages",
    role: "viewer",
    summary: "Get a message that waits, whole, with its images and context",
    response: newPrompt,
    errors: ["no-such-prompt", "no-such-session"],
  },
  "PATCH /api/sessions/:session/prompts/:prompt": {
    name: "moveMessage",
    kind: "command",
    tag: "Messages",
    role: "driver",
    summary: "Move a message that waits, or send it now",
    body: z.strictObject({
      place: z
        .int()
        .min(0)
        .exactOptional()
        .describe("Its new place among those that wait, from 0."),
      now: z.literal(true).exactOptional().describe("Send it into the running turn."),
    }),
    response: z.array(queuedPrompt),
    errors: ["already-sent", "no-such-prompt", "no-such-session", "nothing-asked"],
  },
  "DELETE /api/sessions/:session/prompts/:prompt": {
    name: "withdrawMessage",
    kind: "command",
    tag: "Messages",
    role: "driver",
    summary: "Withdraw a message that waits",
    status: 204,
    response: "nothing",
    errors: ["already-sent", "no-such-prompt", "no-such-session"],
  },
} as const satisfies RouteTable;
