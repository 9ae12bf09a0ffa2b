import * as z from "zod";
import { hubLocation } from "./locate-hub.ts";

/** The message from a hub to the runner that it starts: one line of JSON on standard input, never arguments or environment. */
export const runnerStartMessage = z.object({
  hub: z.url(),
  /** Lets the runner find the hub at another port and verify it before anything is sent. */
  home: hubLocation.omit({ url: true }),
  /** The private key of the runner, in the format of `deviceKeyText`. */
  key: z.string(),
  runner: z.uuid(),
  /** The umask of the user, for the agents. The hub uses a stricter one. */
  umask: z.int().min(0).max(0o777),
});

/**
 * The file in the runner's folder in which the hub leaves this message for a runner that a service manager runs.
 * The runner deletes it when it has read it.
 */
export const RUNNER_START_FILE = "start.json";
