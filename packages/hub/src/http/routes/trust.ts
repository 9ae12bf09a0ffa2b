import type { TrustRouteKey } from "@signalbox/api";
import type { Handlers } from "../route.ts";

export const trustHandlers: Handlers<TrustRouteKey> = {
  "GET /api/trust": ({ engine }) => [...engine.trustDecisions()],
  "GET /api/trust/folder": ({ engine }, { query, caller }) =>
    engine.folderTrust(query.runner, query.folder, caller.actor),
  "GET /api/sessions/:session/trust": ({ engine }, { params }) =>
    engine.sessionTrust(params.session),
  "POST /api/trust/grant": ({ engine, access }, { body, caller }) =>
    engine.grantTrust(body, caller.actor, access.signedTrust(caller, body)),
  "POST /api/trust/revoke": ({ engine }, { body, caller }) =>
    engine.revokeTrust(body, caller.actor),
};
