import type { SessionRouteKey } from "@signalbox/api";
import type { Handlers } from "../route.ts";

export const sessionHandlers: Handlers<SessionRouteKey> = {
  "GET /api/sessions": ({ engine }) => engine.sessions(),
  "POST /api/sessions": ({ engine }, { command, body, who, receipt }) =>
    engine.create(command, body, who.actor, receipt),
  "GET /api/sessions/:session": ({ engine }, { params }) => engine.session(params.session),
  "PATCH /api/sessions/:session": ({ engine }, { params, body, who }) =>
    engine.change(params.session, body, who.actor),
  "DELETE /api/sessions/:session": ({ engine }, { params, who }) =>
    engine.delete(params.session, who.actor),
  "POST /api/sessions/:session/interrupt": ({ engine }, { params, who }) =>
    engine.interrupt(params.session, who.actor),
  "POST /api/sessions/:session/stop": ({ engine }, { params, who }) =>
    engine.stop(params.session, who.actor),
  "POST /api/sessions/:session/park": ({ engine }, { params, who }) =>
    engine.park(params.session, who.actor),
  "POST /api/sessions/:session/wake": ({ engine }, { params, who }) =>
    engine.wake(params.session, who.actor),
  "POST /api/sessions/:session/retry": ({ engine }, { params, body, who }) =>
    engine.retry(params.session, who.actor, body),
  "POST /api/sessions/:session/fork": ({ engine }, { params, command, body, who }) =>
    engine.fork(params.session, command, body, who.actor),
  "POST /api/sessions/:session/control": async ({ engine }, { params, body, who }) => {
    const said = await engine.request(params.session, body.subtype, body.fields, who.actor);
    return said ?? null;
  },
  "GET /api/projects": ({ engine }) => engine.projects(),
};
