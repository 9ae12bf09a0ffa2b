import type { RelayRouteKey } from "@signalbox/api/routes";
import { HubRefusal } from "../../engine.ts";
import type { Handlers } from "../route.ts";

/** What the relay's routes answer if no extension handles them. */
export const relayHandlers: Handlers<RelayRouteKey> = {
  "POST /api/relay/agents": () => {
    const detail =
      "The relay is off. Turn it on in Settings, Relay or with `signalbox config relay on`, and restart the hub.";
    throw new HubRefusal(404, "no-relay", detail);
  },
  "GET /api/relay": ({ engine }) => ({
    on: engine.relaySetting.isOn(),
    running: false,
    startOption: false,
  }),
  "PUT /api/relay": ({ engine }, { body, caller }) =>
    engine.relaySetting.set(body.on, caller.actor),
  "GET /api/discovery": () => [],
  "POST /api/discovery/attach": () => {
    throw new HubRefusal(404, "no-discovery", "This hub has no discovery.");
  },
  "POST /api/discovery/detach": (_, { body }) => {
    const detail = `The hub is not attached to port ${body.port}. Nothing was changed.`;
    throw new HubRefusal(409, "not-attached", detail);
  },
};
