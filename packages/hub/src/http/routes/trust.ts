import type { TrustRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const trustHandlers: Handlers<TrustRouteKey> = {
  "GET /api/trust": ({ engine }) => [...engine.trust.listDecisions()],
  "GET /api/trust/folder": ({ engine }, { query, caller }) =>
    engine.trust.inspectFolder(query.runner, query.folder, caller.actor),
  "GET /api/sessions/:session/trust": ({ engine }, { params }) =>
    engine.trust.inspectSession(params.session),
  "POST /api/trust/grant": ({ engine, access }, { body, caller }) =>
    engine.trust.grant(body, caller.actor, access.verifyTrustGrant(caller, body)),
  "POST /api/trust/revoke": ({ engine }, { body, caller }) =>
    engine.trust.revoke(body, caller.actor),
};
