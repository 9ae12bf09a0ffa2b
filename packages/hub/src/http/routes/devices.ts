import {
  atLeast,
  deviceUpgrade,
  deviceView,
  elevationDecision,
  elevationView,
  identityProof,
  identityRequest,
  newElevation,
  newPairing,
  newToken,
  paired,
  pairing,
  pairRequest,
  pairRole,
  pairRoleRequest,
  ticket,
  ticketRequest,
  tokenMade,
} from "@signalbox/api";
import * as z from "zod";
import { requireLasting } from "../../devices/access.ts";
import { NEVER } from "../../devices/device-book.ts";
import { makerOf, mayManage } from "../../devices/roles.ts";
import { Refusal } from "../../engine.ts";
import { audit } from "../../log/audit-change.ts";
import { bearerOf } from "../bearer.ts";
import { command, open, read, secret } from "../route.ts";

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

export const deviceRoutes = [
  open({
    method: "POST",
    path: "/api/identity",
    summary:
      "Shows that this is the hub whose key was pinned, and gives a nonce to sign requests with",
    body: identityRequest,
    response: identityProof,
    handler: ({ access }, { body, headers }) =>
      access.prove(body.challenge, headers.get("host") ?? "", body.device),
  }),
  open({
    method: "POST",
    path: "/api/pair",
    summary: "A code for a credential, once",
    body: pairRequest,
    status: 201,
    response: paired,
    handler: async ({ access }, { body }) => {
      const device = await access.pair(body.code, body.name, body.publicKey);
      if (!device) throw wrongCode();
      return { device, hub: access.hub };
    },
  }),
  open({
    method: "POST",
    path: "/api/upgrade",
    summary:
      "A device of the time before keys shows its token once more, as bearer, and has a key from then on",
    body: deviceUpgrade,
    response: paired,
    handler: async ({ access }, { body, headers }) => {
      const device = await access.upgrade(bearerOf(headers) ?? "", body.publicKey);
      if (!device) throw noSuchToken();
      return { device, hub: access.hub };
    },
  }),
  open({
    method: "POST",
    path: "/api/pair/role",
    summary: "Whom a code would make; it can still be used. A wrong code counts as a try",
    body: pairRoleRequest,
    response: pairRole,
    handler: ({ access }, { body }) => {
      const role = access.pairsAs(body.code);
      if (!role) throw wrongCode();
      return { role };
    },
  }),
  secret({
    method: "POST",
    path: "/api/pairings",
    role: "driver",
    summary: "A code that lets one device in, once, within five minutes",
    body: newPairing,
    status: 201,
    response: pairing,
    handler: ({ access }, { body, who, origin }) => access.invite(body.role, who, origin),
  }),
  secret({
    method: "POST",
    path: "/api/tickets",
    role: "viewer",
    summary: "Opens one WebSocket, once, within thirty seconds",
    body: ticketRequest.optional(),
    status: 201,
    response: ticket,
    handler: ({ access, limits }, { body, who }) => {
      limits.requireFreeStream(who.actor.device); // said here, since a browser cannot read why an upgrade fails
      return { ticket: access.ticket(who, body?.delegation) };
    },
  }),
  secret({
    method: "POST",
    path: "/api/tokens",
    role: "admin",
    summary:
      "A bearer token for a program that cannot sign: it looks or drives, never approves, and expires",
    body: newToken,
    status: 201,
    response: tokenMade,
    handler: ({ access }, { body, who }) => access.addToken({ ...body, by: who.actor }),
  }),
  read({
    path: "/api/devices",
    role: "driver",
    summary: "All devices; one that has expired as long as devices that were paired from it are in",
    response: z.array(deviceView),
    handler: ({ access: { book } }, { who }) =>
      [...book.list(), ...book.expiredParents()].map((row) =>
        book.view(row, row.id === who.actor.device),
      ),
  }),
  command({
    method: "DELETE",
    path: "/api/devices/:device",
    role: "viewer",
    summary:
      "Revokes a device and those paired from it; their connections close at once. Everyone may revoke himself",
    status: 204,
    response: "nothing",
    handler: async ({ access }, { params, who }) => {
      const row = access.book.findAlsoExpired(params.device);
      const self = params.device === who.actor.device;
      if (!self && row?.role !== "runner") requireLasting(who, "take devices away");
      if (!self && !atLeast(who.actor.role, "driver")) throw gone();
      if (!row) throw gone();
      if (!self && isOfHub(row) && !atLeast(who.actor.role, "admin")) {
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
  }),
  read({
    path: "/api/elevations",
    role: "approver",
    summary: "Terminals that wait to be allowed to approve",
    response: z.array(elevationView),
    handler: ({ access }) => access.elevations.waiting(),
  }),
  command({
    method: "POST",
    path: "/api/elevations",
    role: "driver",
    summary: "A terminal asks to approve for as long as it runs",
    body: newElevation,
    status: 201,
    response: elevationView,
    handler: ({ access }, { body, who }) => {
      requireLasting(who, "ask for more");
      return access.elevations.ask(who.actor.device, body.name, body.publicKey);
    },
  }),
  read({
    path: "/api/elevations/:elevation",
    role: "driver",
    summary: "Whether it is confirmed",
    response: elevationView,
    handler: ({ access }, { params, who }) => {
      const found = access.elevations.find(params.elevation);
      if (!found) throw noElevation();
      const { device, ...view } = found;
      if (device !== who.actor.device && !atLeast(who.actor.role, "approver")) throw noElevation();
      return view;
    },
  }),
  command({
    method: "POST",
    path: "/api/elevations/:elevation/decide",
    role: "approver",
    summary: "Confirms or refuses a terminal; to confirm, the device signs the terminal's key",
    body: elevationDecision,
    response: elevationView,
    handler: async ({ access, store }, { params, body, who }) => {
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
      const settled = confirmation
        ? access.elevations.confirm(params.elevation, confirmation)
        : access.elevations.refuse(params.elevation);
      if (!settled) throw noElevation();
      return { ...asked, status: body.confirm ? "confirmed" : "refused" };
    },
  }),
];
