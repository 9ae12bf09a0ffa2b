import * as z from "zod";
import { signature } from "./identity.ts";
import { id } from "./session.ts";

const folder = z.string().min(1).max(4096);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** One thing that a folder brings and that would run, or count, once the folder is trusted. */
export const folderFinding = z.object({
  id: z.string(),
  /** `unreadable` cannot be trusted: what it would run is not known. */
  kind: z.string(),
  /** The file that brings it. */
  source: z.string(),
  /** What would run, as it is written there. */
  text: z.string(),
  /** Why this one deserves a second look. */
  warning: z.string().optional(),
});
export type FolderFinding = z.infer<typeof folderFinding>;

/**
 * Whether a folder's own code counts. `none`: it brings none, and there is nothing to ask. `off`: nobody
 * has decided, so it does not count. `kept-off`: a person wants it so. `trusted`: it counts. `changed`:
 * it was trusted, and has changed since; it does not count until it is trusted again.
 */
export const trustState = z.enum(["none", "off", "kept-off", "trusted", "changed"]);
export type TrustState = z.infer<typeof trustState>;

/** What a folder brings at this moment, and what was decided about it. */
export const folderTrust = z.object({
  runner: z.string(),
  /** As it really is on that machine. */
  folder: z.string(),
  state: trustState,
  /** Of everything that it brings: a decision names it, so that it is about what was shown. */
  hash,
  findings: z.array(folderFinding),
  /** Ids of the findings that nobody has trusted. */
  untrusted: z.array(z.string()),
});
export type FolderTrust = z.infer<typeof folderTrust>;

/** A decision about a folder of a machine, as it was taken last. */
export const trustDecision = z.object({
  runner: z.string(),
  folder: z.string(),
  decision: z.enum(["trusted", "off"]),
  hash,
  by: z.string(),
  at: z.number(),
});
export type TrustDecision = z.infer<typeof trustDecision>;

/** Folders that a session has beside its own: what they bring is part of the question. */
const addDirs = z.array(folder).max(50).optional();
/** The folder by its real path; signed with the key of the device that decides (`trustText`). */
export const trustGrant = z.strictObject({
  runner: id,
  folder,
  addDirs,
  hash,
  signature: signature.optional(),
});
export type TrustGrant = z.infer<typeof trustGrant>;
/** Without a runner: the hub's own machine. */
export const trustRevocation = z.strictObject({ runner: id.optional(), folder, addDirs });
export type TrustRevocation = z.infer<typeof trustRevocation>;
