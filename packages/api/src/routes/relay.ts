import * as z from "zod";
import { neighborView, relayState } from "../schemas/device.ts";
import { filePath, uuidText } from "../schemas/values.ts";
import type { RouteTable } from "./route.ts";

const relayPort = z.strictObject({ port: z.int().min(1).max(65_535) });

export const relayRoutes = {
  "POST /api/relay/agents": {
    name: "inviteAgent",
    kind: "secret",
    tag: "Relay",
    role: "driver",
    summary: "Create a session for an agent that connects by itself, and its secret",
    body: z.strictObject({
      session: uuidText
        .exactOptional()
        .describe("Create another secret for this session; the last one ends."),
      title: z.string().trim().min(1).max(200).exactOptional(),
      folder: filePath.exactOptional(),
    }),
    status: 201,
    response: z.object({ session: uuidText, secret: z.string(), url: z.string() }),
    errors: ["no-relay", "no-such-session", "not-relayed", "not-the-creator", "too-many-sessions"],
  },
  "GET /api/relay": {
    name: "getRelay",
    kind: "read",
    tag: "Relay",
    role: "viewer",
    summary: "Get whether the relay is set to be on, and whether it runs",
    response: relayState,
  },
  "PUT /api/relay": {
    name: "setRelay",
    kind: "command",
    tag: "Relay",
    role: "approver",
    summary: "Turn the relay on or off",
    description: "Takes effect when the hub is next started.",
    body: z.strictObject({ on: z.boolean() }),
    status: 204,
    response: "nothing",
  },
  "GET /api/discovery": {
    name: "discover",
    kind: "read",
    tag: "Relay",
    role: "driver",
    summary: "List other hubs and relays that listen on the hub's machine",
    response: z.array(neighborView),
  },
  "POST /api/discovery/attach": {
    name: "attachRelay",
    kind: "command",
    tag: "Relay",
    role: "driver",
    summary: "Show the conversations of another relay as sessions",
    body: relayPort,
    status: 204,
    response: "nothing",
    errors: ["is-hub", "no-discovery", "no-relay", "no-relay-there", "no-such-port"],
  },
  "POST /api/discovery/detach": {
    name: "detachRelay",
    kind: "command",
    tag: "Relay",
    role: "driver",
    summary: "Leave another relay; its sessions stay",
    body: relayPort,
    status: 204,
    response: "nothing",
    errors: ["not-attached"],
  },
} as const satisfies RouteTable;
