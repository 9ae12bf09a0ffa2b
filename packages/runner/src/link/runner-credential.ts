import { hubIdentity, publicKey } from "@signalbox/api/schemas";
import * as z from "zod";

/** The credential that a paired machine keeps in a private file. */
export const runnerCredential = z.object({
  hub: z.url(),
  /** The key of the hub, pinned when this machine was paired. */
  hubKey: publicKey,
  /** The private key of this machine. */
  key: z.string(),
  runner: z.uuid(),
  /** The name of this machine in the hub. */
  machine: z.string().optional(),
});
export type RunnerCredential = z.infer<typeof runnerCredential>;

/** The credential of machines that were paired before machines had keys. */
export const legacyRunnerCredential = z.object({
  hub: z.url(),
  token: z.string(),
  runner: z.uuid(),
  machine: z.string().optional(),
  /** The key that the machine is getting, and the hub that has proven to know its token. */
  pending: z.object({ key: z.string(), hub: hubIdentity }).optional(),
});
export type LegacyRunnerCredential = z.infer<typeof legacyRunnerCredential>;
