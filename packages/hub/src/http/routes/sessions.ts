import { newSession, projectView, sessionChange, sessionView } from "@signalbox/api";
import * as z from "zod";
import { command, read } from "../route.ts";

/** A first prompt with its images: what a route takes that takes prompts. */
export const PROMPT_LIMIT = 64 * 1024 * 1024;

const one = "/api/sessions/:session";
const answer = z.looseObject({}).or(z.null()).or(z.array(z.unknown())).or(z.string());

export const sessionRoutes = [
  read({
    path: "/api/sessions",
    role: "viewer",
    summary: "All sessions, newest change first",
    response: z.array(sessionView),
    handler: ({ engine }) => engine.sessions(),
  }),
  command({
    method: "POST",
    path: "/api/sessions",
    role: "driver",
    summary: "Makes a session; its id is the command's",
    body: newSession,
    bodyLimit: PROMPT_LIMIT,
    status: 201,
    response: sessionView,
    handler: ({ engine }, { command, body, who, receipt }) =>
      engine.create(command, body, who.actor, receipt),
  }),
  read({
    path: one,
    role: "viewer",
    summary: "One session",
    response: sessionView,
    handler: ({ engine }, { params }) => engine.session(params.session),
  }),
  command({
    method: "PATCH",
    path: one,
    role: "driver",
    summary:
      "Renames, colours, pins, archives, sets the policy, or the driver or isolation of the next run",
    body: sessionChange,
    response: sessionView,
    handler: ({ engine }, { params, body, who }) => engine.change(params.session, body, who.actor),
  }),
  command({
    method: "DELETE",
    path: one,
    role: "driver",
    summary: "Deletes a session with everything that belongs to it; its audit entries stay",
    status: 204,
    response: "nothing",
    handler: ({ engine }, { params, who }) => engine.delete(params.session, who.actor),
  }),
  command({
    method: "POST",
    path: `${one}/interrupt`,
    role: "driver",
    summary: "Ends the turn that runs",
    status: 204,
    response: "nothing",
    handler: ({ engine }, { params, who }) => engine.interrupt(params.session, who.actor),
  }),
  command({
    method: "POST",
    path: `${one}/stop`,
    role: "driver",
    summary: "Ends the agent's process",
    response: sessionView,
    handler: ({ engine }, { params, who }) => engine.stop(params.session, who.actor),
  }),
  command({
    method: "POST",
    path: `${one}/park`,
    role: "driver",
    summary: "Gives the process back until the next message",
    response: sessionView,
    handler: ({ engine }, { params, who }) => engine.park(params.session, who.actor),
  }),
  command({
    method: "POST",
    path: `${one}/wake`,
    role: "driver",
    summary: "Starts the process again",
    response: sessionView,
    handler: ({ engine }, { params, who }) => engine.wake(params.session, who.actor),
  }),
  command({
    method: "POST",
    path: `${one}/retry`,
    role: "driver",
    summary: "From the last good message, with the last prompt again",
    body: z.strictObject({ fresh: z.boolean().exactOptional() }),
    response: sessionView,
    handler: ({ engine }, { params, body, who }) => engine.retry(params.session, who.actor, body),
  }),
  command({
    method: "POST",
    path: `${one}/fork`,
    role: "driver",
    summary: "A copy of the conversation as a new session; its id is the command's",
    body: z.strictObject({
      at: z.string().max(200).optional(),
      before: z.string().max(200).optional(),
    }),
    status: 201,
    response: sessionView,
    handler: ({ engine }, { params, command, body, who }) =>
      engine.fork(params.session, command, body, who.actor),
  }),
  command({
    method: "POST",
    path: `${one}/control`,
    role: "driver",
    summary: "A control request to the agent, such as set_model",
    body: z.strictObject({
      subtype: z.string().min(1).max(100),
      fields: z.record(z.string(), z.unknown()).default({}),
    }),
    response: answer,
    handler: async ({ engine }, { params, body, who }) => {
      const said = await engine.request(params.session, body.subtype, body.fields, who.actor);
      return said ?? null;
    },
  }),
  read({
    path: "/api/projects",
    role: "viewer",
    summary: "Folders and what runs in them",
    response: z.array(projectView),
    handler: ({ engine }) => engine.projects(),
  }),
];
