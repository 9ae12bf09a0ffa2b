import { newPrompt, queuedPrompt } from "@signalbox/api";
import * as z from "zod";
import { command, read } from "../route.ts";
import { PROMPT_LIMIT } from "./sessions.ts";

const all = "/api/sessions/:session/prompts";

export const promptRoutes = [
  command({
    method: "POST",
    path: all,
    role: "driver",
    summary: "A message to the agent, kept until it has arrived; its id is the command's",
    body: newPrompt,
    bodyLimit: PROMPT_LIMIT,
    status: 202,
    response: queuedPrompt,
    handler: ({ engine }, { params, command, body, who, receipt }) =>
      engine.send(params.session, command, body, who.actor, receipt),
  }),
  read({
    path: `${all}/:prompt`,
    role: "viewer",
    summary: "A message that waits, whole, with its images",
    response: newPrompt,
    handler: ({ engine }, { params }) => engine.prompt(params.session, params.prompt),
  }),
  command({
    method: "PATCH",
    path: `${all}/:prompt`,
    role: "driver",
    summary: "Moves a waiting message to another place, or makes it go now",
    body: z.strictObject({
      place: z.int().min(0).exactOptional(),
      now: z.literal(true).exactOptional(),
    }),
    response: z.array(queuedPrompt),
    handler: ({ engine }, { params, body }) =>
      engine.movePrompt(params.session, params.prompt, body),
  }),
  command({
    method: "DELETE",
    path: `${all}/:prompt`,
    role: "driver",
    summary: "Withdraws a message that waits",
    status: 204,
    response: "nothing",
    handler: ({ engine }, { params }) => engine.withdrawPrompt(params.session, params.prompt),
  }),
];
