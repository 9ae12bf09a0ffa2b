import { isRoleAtLeast, type DeviceRouteKey } from "@signalbox/api";
import { requireLasting, revokedMaker } from "../../devices/access.ts";
import { NEVER } from "../../devices/device-book.ts";
import { makerOf, mayManage } from "../../devices/roles.ts";
import { Refusal } from "../../engine.ts";
import { audit } from "../../log/audit-change.ts";
import { bearerOf } from "../bearer.ts";
import type { Handlers } from "../route.ts";

const gone = () => new Refusal(404, "not-found", "There is no device of this id.");
const wrongCode = () =>
  new Refusal(
    401,
    "wrong-code",
    "This pairing code is wrong, used or too old: codes hold for five minutes and once. Make a new one.",
  );
/** The command line and the hub's own runner, which do not expire. */
const isOfHub = ({ expiresAt }: { expiresAt: number }) => expiresAt === NEVER;
const noElevation = () =>
  new Refusal(404, "not-found", "No terminal of this id waits. Ask again from the terminal.");

const noSuchToken = () =>
  new Refusal(
    401,
    "wrong-credential",
    "This token is of no device, or the device has a key already.",
  );

export const deviceHandlers: Handlers<DeviceRouteKey> = {
  "POST /api/identity": ({ access }, { body, headers }) =>
    access.prove(body.challenge, headers.get("host") ?? "", body.device),
  "POST /api/pair": async ({ access }, { body }) => {
    const device = await access.pair(body.code, body.name, body.publicKey);
    if (!device) throw wrongCode();
    return { device, hub: access.hub };
  },
  "POST /api/upgrade": async ({ access }, { body, headers }) => {
    const device = await access.upgrade(bearerOf(headers) ?? "", body.publicKey);
    if (!device) throw noSuchToken();
    return { device, hub: access.hub };
  },
  "POST /api/pair/role": ({ access }, { body }) => {
    const role = access.pairsAs(body.code);
    if (!role) throw wrongCode();
    return { role };
  },
  "POST /api/pairings": ({ access }, { body, who, origin }) =>
    access.invite(body.role, who, origin),
  "POST /api/tickets": ({ access, limits }, { body, who }) => {
    limits.requireFreeStream(who.actor.device); // said here, since a browser cannot read why an upgrade fails
    return { ticket: access.ticket(who, body?.delegation) };
  },
  "POST /api/tokens": ({ access }, { body, who }) => access.addToken({ ...body, by: who.actor }),
  "GET /api/devices": ({ access: { book } }, { who }) =>
    [...book.list(), ...book.expiredParents()].map((row) =>
      book.view(row, row.id === who.actor.device),
    ),
  "DELETE /api/devices/:device": async ({ access }, { params, who }) => {
    const row = access.book.findAlsoExpired(params.device);
    const self = params.device === who.actor.device;
    if (!self && row?.role !== "runner") requireLasting(who, "take devices away");
    if (!self && !isRoleAtLeast(who.actor.role, "driver")) throw gone();
    if (!row) throw gone();
    if (!self && isOfHub(row) && !isRoleAtLeast(who.actor.role, "admin")) {
      const detail = `"${row.name}" belongs to the hub itself. Only an admin's device can revoke it.`;
      throw new Refusal(403, "role-too-weak", detail);
    }
    if (!self && !mayManage(who.actor.role, row.role)) {
      throw new Refusal(
        403,
        "role-too-weak",
        `A device of the role ${row.role} can be taken away only by one of the role ${makerOf(row.role)} or above.`,
      );
    }
    await access.revoke(params.device, who.actor);
  },
  "GET /api/elevations": ({ access }) => access.elevations.waiting(),
  "POST /api/elevations": ({ access }, { body, who }) => {
    requireLasting(who, "ask for more");
    return access.elevations.ask(who.actor.device, body.name, body.publicKey);
  },
  "GET /api/elevations/:elevation": ({ access }, { params, who }) => {
    const found = access.elevations.find(params.elevation);
    if (!found) throw noElevation();
    const { device, ...view } = found;
    if (device !== who.actor.device && !isRoleAtLeast(who.actor.role, "approver"))
      throw noElevation();
    return view;
  },
  "POST /api/elevations/:elevation/decide": async ({ access, store }, { params, body, who }) => {
    requireLasting(who, "confirm others");
    const found = access.elevations.find(params.elevation);
    if (found?.status !== "waiting") throw noElevation();
    const { device, ...asked } = found;
    const what = body.confirm ? "terminal-confirmed" : "terminal-refused";
    const { name, words, publicKey } = asked;
    const facts = { terminal: device, elevation: asked.id, name, words, publicKey };
    const confirmation = body.confirm
      ? access.confirmation(params.elevation, who, body.signature)
      : undefined;
    await store.commit([audit(what, who.actor, null, { ...facts, ...confirmation })]);
    if (!access.stillHolds(who)) {
      // The audit says that it was confirmed, by a device that is out by now.
      access.elevations.refuse(params.elevation);
      if (confirmation) await store.commit([audit("terminal-refused", null, null, facts)]);
      throw revokedMaker();
    }
    const settled = confirmation
      ? access.elevations.confirm(params.elevation, confirmation)
      : access.elevations.refuse(params.elevation);
    if (!settled) throw noElevation();
    return { ...asked, status: body.confirm ? "confirmed" : "refused" };
  },
};
