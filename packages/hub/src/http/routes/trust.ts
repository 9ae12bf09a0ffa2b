import type { TrustRouteKey } from "@signalbox/api";
import type { Handlers } from "../route.ts";

export const trustHandlers: Handlers<TrustRouteKey> = {
  "GET /api/trust": ({ engine }) => [...engine.trustDecisions()],
  "GET /api/trust/folder": ({ engine }, { query, who }) =>
    engine.folderTrust(query.runner, query.folder, who.actor),
  "GET /api/sessions/:session/trust": ({ engine }, { params }) =>
    engine.sessionTrust(params.session),
  "POST /api/trust/grant": ({ engine, access }, { body, who }) =>
    engine.grantTrust(body, who.actor, access.signedTrust(who, body)),
  "POST /api/trust/revoke": ({ engine }, { body, who }) => engine.revokeTrust(body, who.actor),
};
