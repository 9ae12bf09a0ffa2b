import * as z from "zod";
import { signature } from "./identity.ts";
import { uuidText } from "./values.ts";

const folder = z.string().min(1).max(4096);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const folderFinding = z
  .object({
    id: z.string(),
    kind: z.string().describe("`unreadable` cannot be trusted: what it would run is not known."),
    source: z.string().describe("The file that brings it."),
    text: z.string().describe("What would run, as it is written there."),
    warning: z.string().optional().describe("Why this one deserves a second look."),
  })
  .describe(
    "One thing that a folder brings and that would run, or count, once the folder is trusted.",
  );
export type FolderFinding = z.infer<typeof folderFinding>;

export const trustState = z
  .enum(["none", "off", "kept-off", "trusted", "changed"])
  .describe(
    "Whether a folder's own code counts. `none`: it brings none, and there is nothing to ask. `off`: nobody has decided, so it does not count. `kept-off`: a person wants it so. `trusted`: it counts. `changed`: it was trusted, and has changed since; it does not count until it is trusted again.",
  );
export type TrustState = z.infer<typeof trustState>;

export const folderTrust = z
  .object({
    runner: z.string(),
    folder: z.string().describe("As it really is on that machine."),
    state: trustState,
    hash: hash.describe("The hash of everything that the folder brings; a decision names it."),
    findings: z.array(folderFinding),
    untrusted: z.array(z.string()).describe("Ids of the findings that nobody has trusted."),
  })
  .describe("What a folder brings at this moment, and what was decided about it.");
export type FolderTrust = z.infer<typeof folderTrust>;

export const trustDecision = z
  .object({
    runner: z.string(),
    folder: z.string(),
    decision: z.enum(["trusted", "off"]),
    hash,
    by: z.string(),
    at: z.number(),
  })
  .describe("A decision about a folder of a machine, as it was taken last.");
export type TrustDecision = z.infer<typeof trustDecision>;

const addDirs = z
  .array(folder)
  .max(50)
  .optional()
  .describe("Folders that a session has beside its own: what they bring is part of the question.");
export const trustGrant = z
  .strictObject({
    runner: uuidText,
    folder,
    addDirs,
    hash,
    signature: signature.optional(),
  })
  .describe(
    "The folder by its real path; signed with the key of the device that decides (`trustText`).",
  );
export type TrustGrant = z.infer<typeof trustGrant>;
export const trustRevocation = z
  .strictObject({ runner: uuidText.optional(), folder, addDirs })
  .describe("Without a runner: the hub's own machine.");
export type TrustRevocation = z.infer<typeof trustRevocation>;
