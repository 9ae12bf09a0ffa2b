import { id } from "@signalbox/api";
import * as z from "zod";
import { Refusal } from "../../engine.ts";
import { secret } from "../route.ts";

export const relayRoutes = [
  secret({
    method: "POST",
    path: "/api/relay/agents",
    role: "driver",
    summary: "Makes room for an agent that dials in: a session, and the secret that opens it",
    body: z.strictObject({
      /** Another secret for this session, which ends the last. */
      session: id.exactOptional(),
      title: z.string().trim().min(1).max(200).exactOptional(),
      folder: z.string().min(1).max(4096).exactOptional(),
    }),
    status: 201,
    response: z.object({ session: id, secret: z.string(), url: z.string() }),
    handler: async ({ relay }, { body, who, origin }) => {
      if (!relay) {
        const detail = "The relay is off. Start the hub with --relay to let agents dial in.";
        throw new Refusal(404, "no-relay", detail);
      }
      const made = await relay.invite(body, who.actor);
      return { ...made, url: `${origin.replace(/^http/, "ws")}/ws/cli/${made.session}` };
    },
  }),
];
