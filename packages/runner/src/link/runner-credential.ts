import { hubIdentity, publicKey } from "@signalbox/api";
import * as z from "zod";

/** What a machine that was paired with a hub keeps for its next start, in a private file. */
export const runnerCredential = z.object({
  hub: z.url(),
  /** The hub's, pinned when this machine was paired. */
  hubKey: publicKey,
  /** This machine's own private key. */
  key: z.string(),
  runner: z.uuid(),
  /** What this machine is called there. */
  machine: z.string().optional(),
});
export type RunnerCredential = z.infer<typeof runnerCredential>;

/** What machines kept before they had keys. */
export const legacyRunnerCredential = z.object({
  hub: z.url(),
  token: z.string(),
  runner: z.uuid(),
  machine: z.string().optional(),
  /** The key that it is about to get, and the hub that has proven to know its token. */
  pending: z.object({ key: z.string(), hub: hubIdentity }).optional(),
});
export type LegacyRunnerCredential = z.infer<typeof legacyRunnerCredential>;
