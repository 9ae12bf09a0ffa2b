import * as z from "zod";
import { hubLocation } from "./locate-hub.ts";

/** What a hub tells the runner it starts: one line of JSON on its standard input, never argv or environment. */
export const runnerStartMessage = z.object({
  hub: z.url(),
  /** By which it finds the hub again at another port, and knows it before it says anything. */
  home: hubLocation.omit({ url: true }),
  /** Its private key, as `deviceKeyText` writes it. */
  key: z.string(),
  runner: z.uuid(),
  /** The user's own, for the agents: the hub's is narrower. */
  umask: z.int().min(0).max(0o777),
});
