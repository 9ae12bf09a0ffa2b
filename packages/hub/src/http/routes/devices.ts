import { isRoleAtLeast } from "@signalbox/api";
import type { DeviceRouteKey } from "@signalbox/api/routes";
import { requireOwnKey, revokedMakerRefusal } from "../../devices/access-control.ts";
import { NEVER_EXPIRES } from "../../devices/device-registry.ts";
import { getMakerRole, mayManage } from "../../devices/roles.ts";
import { HubRefusal } from "../../engine.ts";
import { createAuditChange } from "../../store/audit-change.ts";
import { requireEmbeddableRole, requireOwnPage } from "../embedding.ts";
import { readBearerToken } from "../bearer-token.ts";
import type { Handlers } from "../route.ts";

const createNotFound = () => new HubRefusal(404, "not-found", "No device has this id.");
const wrongCode = () =>
  new HubRefusal(
    401,
    "wrong-code",
    "This pairing code is wrong, was already used, or has expired. A code works once, within five minutes. Create a new one.",
  );
/** Whether a device is the hub's own: the command line or its runner, which do not expire. */
const isOfHub = ({ expiresAt }: { expiresAt: number }) => expiresAt === NEVER_EXPIRES;
const noElevation = () =>
  new HubRefusal(
    404,
    "not-found",
    "No terminal with this id waits for a confirmation. Ask again from the terminal.",
  );

const noSuchToken = () =>
  new HubRefusal(
    401,
    "wrong-credential",
    "This token belongs to no device, or the device already has a key.",
  );

export const deviceHandlers: Handlers<DeviceRouteKey> = {
  "POST /api/identity": ({ access }, { body, headers }) =>
    access.prove(body.challenge, headers.get("host") ?? "", body.device),
  "POST /api/pair": async ({ access }, { body, embeddingOrigin }) => {
    requireEmbeddableRole(access.pairsAs(body.code), embeddingOrigin); // the code can still be used elsewhere
    const device = await access.pair(body.code, body.name, body.publicKey, embeddingOrigin);
    if (!device) throw wrongCode();
    return { device, hub: access.hub };
  },
  "POST /api/upgrade": async ({ access }, { body, headers, embeddingOrigin }) => {
    requireOwnPage(embeddingOrigin);
    const device = await access.upgrade(readBearerToken(headers) ?? "", body.publicKey);
    if (!device) throw noSuchToken();
    return { device, hub: access.hub };
  },
  "POST /api/pair/role": ({ access }, { body }) => {
    const role = access.pairsAs(body.code);
    if (!role) throw wrongCode();
    return { role };
  },
  "POST /api/pairings": ({ access }, { body, caller, origin, embeddingOrigin }) => {
    requireOwnPage(embeddingOrigin); // the device could be anywhere, and would outlive the listing
    return access.invite(body.role, caller, origin);
  },
  "POST /api/tickets": ({ access, limits }, { body, caller }) => {
    limits.requireFreeStream(caller.actor.device); // checked here, because a browser cannot read why an upgrade fails
    return { ticket: access.ticket(caller, body?.delegation) };
  },
  "POST /api/tokens": ({ access }, { body, caller }) => {
    requireOwnKey(caller, "create tokens");
    return access.addToken({ ...body, by: caller.actor });
  },
  "GET /api/devices": ({ access: { devices } }, { caller }) =>
    [...devices.list(), ...devices.expiredParents()].map((row) =>
      devices.view(row, row.id === caller.actor.device),
    ),
  "DELETE /api/devices/:device": async ({ access }, { params, caller }) => {
    const row = access.devices.findAlsoExpired(params.device);
    const self = params.device === caller.actor.device;
    if (!self && row?.role !== "runner") requireOwnKey(caller, "revoke devices");
    if (!self && !isRoleAtLeast(caller.actor.role, "driver")) throw createNotFound();
    if (!row) throw createNotFound();
    if (!self && isOfHub(row) && !isRoleAtLeast(caller.actor.role, "admin")) {
      const detail = `"${row.name}" belongs to the hub itself. Only an admin's device can revoke it.`;
      throw new HubRefusal(403, "role-too-weak", detail);
    }
    if (!self && !mayManage(caller.actor.role, row.role)) {
      throw new HubRefusal(
        403,
        "role-too-weak",
        `Revoking a device with the role ${row.role} takes the role ${getMakerRole(row.role)} or above.`,
      );
    }
    await access.revoke(params.device, caller.actor);
  },
  "GET /api/elevations": ({ access }) => access.elevations.listWaiting(),
  "POST /api/elevations": ({ access }, { body, caller, origin, embeddingOrigin }) => {
    requireOwnPage(embeddingOrigin);
    requireOwnKey(caller, "ask for more");
    return { ...access.elevations.ask(caller.actor.device, body), page: `${origin}/inbox` };
  },
  "GET /api/elevations/:elevation": ({ access }, { params, caller }) => {
    const found = access.elevations.find(params.elevation);
    if (!found) throw noElevation();
    const { device, ...view } = found;
    if (device !== caller.actor.device && !isRoleAtLeast(caller.actor.role, "approver"))
      throw noElevation();
    return view;
  },
  "POST /api/elevations/:elevation/decide": async ({ access, store }, { params, body, caller }) => {
    requireOwnKey(caller, "confirm others");
    const found = access.elevations.find(params.elevation);
    if (found?.status !== "waiting") throw noElevation();
    const { device, ...asked } = found;
    const what = body.confirm ? "terminal-confirmed" : "terminal-refused";
    const { name, words, role, publicKey } = asked;
    if (body.confirm && !isRoleAtLeast(caller.actor.role, role)) {
      const detail = `This terminal asks for the rights of an ${role}, so only an ${role}'s device can confirm it. This device has the role ${caller.actor.role}.`;
      throw new HubRefusal(403, "role-too-weak", detail);
    }
    const facts = { terminal: device, elevation: asked.id, name, words, role, publicKey };
    const confirmation = body.confirm
      ? access.verifyConfirmation(params.elevation, caller, body.signature)
      : undefined;
    await store.commit([
      createAuditChange(what, caller.actor, null, { ...facts, ...confirmation }),
    ]);
    if (!access.stillHolds(caller)) {
      // The caller was revoked while the confirmation was stored, so the confirmation is taken back.
      access.elevations.refuse(params.elevation);
      if (confirmation)
        await store.commit([createAuditChange("terminal-refused", null, null, facts)]);
      throw revokedMakerRefusal();
    }
    const settled = confirmation
      ? access.elevations.confirm(params.elevation, confirmation)
      : access.elevations.refuse(params.elevation);
    if (!settled) throw noElevation();
    return { ...asked, status: body.confirm ? "confirmed" : "refused" };
  },
};
