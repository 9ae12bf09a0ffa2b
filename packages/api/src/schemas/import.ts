import * as z from "zod";
import { filePath } from "./values.ts";

export const importSettings = z
  .strictObject({
    on: z.boolean().describe("Whether Claude Code's own sessions are listed and copied."),
    folders: z
      .array(filePath)
      .max(50)
      .describe(
        "Folders of Claude Code's configuration beside the usual one, such as those of other accounts. They are looked for on every machine.",
      ),
  })
  .describe("Whether and from where Claude Code's own sessions are imported.");
export type ImportSettings = z.infer<typeof importSettings>;

export const importMachine = z
  .object({
    runner: z.string(),
    machine: z.string(),
    online: z.boolean(),
    state: z
      .enum(["off", "listing", "copying", "paused", "done", "away", "too-old"])
      .describe("`paused`: the machine runs on its battery."),
    sessions: z.number().describe("The sessions of Claude Code that were found."),
    copied: z.number().describe("Those of them that are copied completely."),
    bytes: z.number(),
    copiedBytes: z.number(),
    problems: z
      .array(z.object({ path: z.string(), why: z.string() }))
      .describe("What could not be read, or not as it should."),
  })
  .describe("How far the sessions of one machine are imported.");
export type ImportMachine = z.infer<typeof importMachine>;

export const importStatus = importSettings
  .extend({ machines: z.array(importMachine) })
  .describe("The import of Claude Code's own sessions: its settings, and how far it is.");
export type ImportStatus = z.infer<typeof importStatus>;

export const importRequest = z
  .strictObject({
    folder: filePath
      .optional()
      .describe("A folder of a configuration, which is added to the settings."),
  })
  .describe("Asks to list and copy at full speed, once.");
export type ImportRequest = z.infer<typeof importRequest>;
