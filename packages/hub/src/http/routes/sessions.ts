import type { SessionRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const sessionHandlers: Handlers<SessionRouteKey> = {
  "GET /api/sessions": ({ engine }, { query }) => engine.sessions.list(query),
  "POST /api/sessions": ({ engine }, { commandId, body, caller, makeReceipt }) =>
    engine.sessions.create(commandId, body, caller.actor, makeReceipt),
  "GET /api/sessions/:session": ({ engine }, { params }) => engine.sessions.get(params.session),
  "GET /api/sessions/:session/options": ({ engine }, { params }) =>
    engine.sessions.getOptions(params.session),
  "PATCH /api/sessions/:session/options": ({ engine }, { params, body, caller }) =>
    engine.sessions.changeOptions(params.session, body, caller.actor),
  "PATCH /api/sessions/:session": ({ engine }, { params, body, caller }) =>
    engine.sessions.change(params.session, body, caller.actor),
  "DELETE /api/sessions/:session": ({ engine }, { params, caller }) =>
    engine.sessions.delete(params.session, caller.actor),
  "GET /api/trash": ({ engine }) => engine.sessions.listTrash(),
  "DELETE /api/trash": ({ engine }, { caller }) => engine.sessions.emptyTrash(caller.actor),
  "GET /api/housekeeping": ({ engine }) => engine.housekeeping.settings,
  "PUT /api/housekeeping": ({ engine }, { body, caller }) =>
    engine.housekeeping.set(body, caller.actor),
  "POST /api/sessions/:session/interrupt": ({ engine }, { params, caller }) =>
    engine.sessions.interrupt(params.session, caller.actor),
  "POST /api/sessions/:session/stop": ({ engine }, { params, caller }) =>
    engine.sessions.stop(params.session, caller.actor),
  "POST /api/sessions/:session/park": ({ engine }, { params, caller }) =>
    engine.sessions.park(params.session, caller.actor),
  "POST /api/sessions/:session/switch": ({ engine }, { params, body, caller }) =>
    engine.switches.request(params.session, body, caller.actor),
  "POST /api/sessions/:session/wake": ({ engine }, { params, caller }) =>
    engine.sessions.wake(params.session, caller.actor),
  "POST /api/sessions/:session/retry": ({ engine }, { params, body, caller }) =>
    engine.sessions.retry(params.session, caller.actor, body),
  "GET /api/sessions/:session/branches": ({ engine }, { params }) =>
    engine.sessions.listBranches(params.session),
  "POST /api/sessions/:session/rewind": ({ engine }, { params, body, caller }) =>
    engine.sessions.rewind(params.session, body, caller.actor),
  "POST /api/sessions/:session/fork": ({ engine }, { params, commandId, body, caller }) =>
    engine.sessions.fork(params.session, commandId, body, caller.actor),
  "POST /api/sessions/:session/control": async ({ engine }, { params, body, caller }) => {
    const agentAnswer = await engine.sessions.request(
      params.session,
      body.subtype,
      body.fields,
      caller.actor,
    );
    return agentAnswer ?? null;
  },
  "GET /api/projects": ({ engine }) => engine.sessions.listProjects(),
};
