import { type AuditEntry, describeApi } from "@signalbox/api";
import type { HubRouteKey } from "@signalbox/api/routes";
import { HubRefusal } from "../../engine.ts";
import { formatMetrics } from "../../metrics/format-metrics.ts";
import type { AuditRow } from "../../store/store.ts";
import type { Handlers } from "../route.ts";

let description: ReturnType<typeof describeApi> | undefined;

export const hubHandlers: Handlers<HubRouteKey> = {
  "GET /api/hub": async ({ access, engine, store, version }, { caller }) => {
    const row = access.devices.find(caller.actor.device);
    if (!row) throw new HubRefusal(401, "wrong-credential", "This device was revoked.");
    const { health, lastCheck } = store;
    return {
      hub: access.identity.hub,
      version,
      epoch: store.epoch,
      auditHead: await store.auditHead(),
      trouble: health.writable ? (access.auditHead.problem ?? null) : health.detail,
      databaseCheck: lastCheck ? { ...lastCheck, problems: [...lastCheck.problems] } : null,
      notAudited: [
        ...access.devices.unauditedRows.map(({ name, role }) => `the device "${name}" (${role})`),
        ...engine.asks.unaudited.map((id) => `the request ${id}`),
        ...engine.listUnconfirmed(),
        ...access.devices.audited.forged.map(
          ({ nth, what }) =>
            `entry ${nth} of the audit log (${what}), which this hub did not write`,
        ),
      ],
      device: { ...access.devices.view(row, true), role: caller.actor.role },
    };
  },
  "GET /api/integrity": async ({ store }) => ({ problems: await store.checkIntegrity() }),
  "GET /api/metrics": ({ engine, counters, version }) => {
    const text = formatMetrics({
      now: Date.now(),
      version,
      counters,
      sessions: engine.sessions.list(),
      asks: engine.asks.list(),
      clients: engine.clients.getFigures(),
      runners: engine.runners.list(),
    });
    return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4" } });
  },
  "GET /api/runners": ({ engine }) => engine.runners.list(),
  "GET /api/agents": ({ engine }, { query }) => engine.settings.listAgents(query.runner),
  "POST /api/agents/test": ({ engine }, { body, query, caller }) =>
    engine.settings.testAgent(body, caller.actor, query.runner),
  "PUT /api/agents": ({ engine }, { body, caller }) =>
    engine.settings.setAgents(body, caller.actor),
  "GET /api/environments": ({ engine }) => engine.settings.getEnvironments(),
  "GET /api/environments/names": async ({ engine }) =>
    Object.keys(await engine.settings.getEnvironments()),
  "PUT /api/environments": ({ engine }, { body, caller }) =>
    engine.settings.setEnvironments(body, caller.actor),
  "GET /api/session-defaults": ({ engine }) => engine.settings.getSessionDefaults(),
  "PUT /api/session-defaults": ({ engine }, { body, caller }) =>
    engine.settings.setSessionDefaults(body, caller.actor),
  "GET /api/project-options": ({ engine }) => engine.projectOptions.list(),
  "PUT /api/project-options": ({ engine }, { body, caller }) =>
    engine.projectOptions.set(body, caller.actor),
  "GET /api/allowed-folders": ({ engine }) => engine.folders.listAllowed(),
  "PUT /api/allowed-folders": ({ engine }, { body, caller }) =>
    engine.folders.setAllowed(body, caller.actor),
  "GET /api/embedding-origins": ({ engine }) => engine.embeddingOrigins.list(),
  "PUT /api/embedding-origins": ({ engine }, { body, caller }) =>
    engine.embeddingOrigins.set(body.origins, caller.actor),
  "GET /api/audit": async ({ access, store }, { query }) => {
    const entries = (await store.auditBefore(query.before, query.limit)).map(toAuditEntry);
    const head = await store.auditHead();
    if (query.verify === undefined) return { entries, head };
    const { missing } = access.auditHead;
    const {
      entries: count,
      unsigned,
      broken,
    } = await store.verifyAudit(
      [...(query.heads?.split(",") ?? []), ...(missing ? [missing.hash] : [])],
      access.auditSigning,
    );
    const verdict = broken ? { broken: broken.nth, why: broken.why } : { broken: null };
    return { entries, head, verified: { count, unsigned, ...verdict } };
  },
  "GET /api/openapi.json": ({ version }) => (description ??= describeApi(version)),
};

function toAuditEntry({ nth, at, what, by, session, facts, hash }: AuditRow): AuditEntry {
  const who = by === null ? {} : { by };
  return { nth, at, what, ...who, ...(session === null ? {} : { session }), facts, hash };
}
