import { neighbourView } from "@signalbox/api";
import * as z from "zod";
import { Refusal } from "../../engine.ts";
import { audit } from "../../log/audit-change.ts";
import { command, read } from "../route.ts";

const port = z.strictObject({ port: z.int().min(1).max(65_535) });

export const discoveryRoutes = [
  read({
    path: "/api/discovery",
    role: "driver",
    summary: "Who else listens on the hub's machine: other hubs, and relays of somebody else's",
    response: z.array(neighbourView),
    handler: async ({ discovery }) => (await discovery?.look()) ?? [],
  }),
  command({
    method: "POST",
    path: "/api/discovery/attach",
    role: "driver",
    summary: "Becomes a front end of a foreign relay: its conversations are sessions here",
    body: port,
    status: 204,
    response: "nothing",
    handler: async ({ discovery, store }, { body, who }) => {
      if (!discovery) throw new Refusal(404, "no-discovery", "This hub looks for nobody.");
      await discovery.attach(body.port);
      await store.commit([audit("relay-attached", who.actor, null, body)]);
    },
  }),
  command({
    method: "POST",
    path: "/api/discovery/detach",
    role: "driver",
    summary: "Leaves a foreign relay; its sessions stay",
    body: port,
    status: 204,
    response: "nothing",
    handler: async ({ discovery, store }, { body, who }) => {
      await discovery?.detach(body.port);
      await store.commit([audit("relay-detached", who.actor, null, body)]);
    },
  }),
];
