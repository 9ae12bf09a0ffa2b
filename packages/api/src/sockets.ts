import type * as z from "zod";
import {
  LINK_PATH,
  LINK_PROTOCOL,
  LINK_VERSION,
  STREAM_PATH,
  STREAM_PROTOCOL,
  STREAM_VERSION,
} from "./constants.ts";
import type { JsonSchema, JsonSchemas } from "./json-schemas.ts";
import { frameToHub, frameToRunner } from "./link/frames.ts";
import { clientFrame, hubFrame } from "./schemas/stream.ts";

interface Socket {
  readonly name: string;
  readonly path: string;
  readonly protocol: string;
  readonly version: number;
  readonly description: string;
  /** The frames that the other side sends to the hub. */
  readonly received: z.ZodType;
  /** The frames that the hub sends. */
  readonly sent: z.ZodType;
}

/**
 * The two WebSockets of the hub. Each frame is a JSON object with a `type`. Unknown types are
 * ignored.
 */
const sockets = {
  stream: {
    name: "Stream",
    path: STREAM_PATH,
    protocol: STREAM_PROTOCOL,
    version: STREAM_VERSION,
    description:
      "Everything live, for clients. It is opened with a ticket of `POST /api/tickets`, which is offered as a second subprotocol (`ticket.` and the ticket). The first frame is `hello`, within five seconds. A client acknowledges what it has applied; one that is far behind gets nothing more until it has caught up, and then what changed.",
    received: clientFrame,
    sent: hubFrame,
  },
  link: {
    name: "Runner link",
    path: LINK_PATH,
    protocol: LINK_PROTOCOL,
    version: LINK_VERSION,
    description:
      "The connection of a runner, which it opens with a signed request. The hub proves itself with the first frame, and the runner sends nothing before that. A frame that carries lines (`lines`, `chunk`) has them after the JSON object and a line feed, as the agent wrote them.",
    received: frameToHub,
    sent: frameToRunner,
  },
} as const satisfies Record<string, Socket>;

export function describeSockets(schemas: JsonSchemas): Record<string, object> {
  const entries = Object.entries(sockets).map(([key, socket]) => {
    const { name, path, protocol, version, description } = socket;
    const received: JsonSchema = schemas.get(socket.received, "input");
    const sent: JsonSchema = schemas.get(socket.sent, "output");
    return [key, { name, path, protocol, version, description, received, sent }] as const;
  });
  return Object.fromEntries(entries);
}
