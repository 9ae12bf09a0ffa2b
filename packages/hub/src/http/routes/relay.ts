import type { RelayRouteKey } from "@signalbox/api";
import { Refusal } from "../../engine.ts";
import { audit } from "../../log/audit-change.ts";
import type { Handlers } from "../route.ts";

export const relayHandlers: Handlers<RelayRouteKey> = {
  "POST /api/relay/agents": async ({ relay }, { body, who, origin }) => {
    if (!relay) {
      const detail = "The relay is off. Start the hub with --relay to let agents dial in.";
      throw new Refusal(404, "no-relay", detail);
    }
    const made = await relay.invite(body, who.actor);
    return { ...made, url: `${origin.replace(/^http/, "ws")}/ws/cli/${made.session}` };
  },
  "GET /api/discovery": async ({ discovery }) => (await discovery?.look()) ?? [],
  "POST /api/discovery/attach": async ({ discovery, store }, { body, who }) => {
    if (!discovery) throw new Refusal(404, "no-discovery", "This hub looks for nobody.");
    await discovery.attach(body.port);
    await store.commit([audit("relay-attached", who.actor, null, body)]);
  },
  "POST /api/discovery/detach": async ({ discovery, store }, { body, who }) => {
    await discovery?.detach(body.port);
    await store.commit([audit("relay-detached", who.actor, null, body)]);
  },
};
