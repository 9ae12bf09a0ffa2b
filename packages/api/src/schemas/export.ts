import * as z from "zod";

export const exportFormat = z
  .enum(["markdown", "html", "jsonl"])
  .describe(
    "`html`: one file that needs neither network nor script. `jsonl`: the lines as they were stored, to be replayed.",
  );
export type ExportFormat = z.infer<typeof exportFormat>;

export const exportFinding = z
  .object({
    id: z.string().describe("Of this text; the same in every export."),
    kind: z
      .enum(["key", "entropy", "home", "email", "word"])
      .describe("`entropy`: it looks like a key, and has no known shape. `word`: a chosen one."),
    text: z.string(),
    before: z.string().describe("What stands before it, the first time."),
    after: z.string(),
    count: z.number(),
    replacement: z.string().describe("What stands in its place, unless it is kept."),
  })
  .describe("A text that an export leaves out unless a person keeps it.");
export type ExportFinding = z.infer<typeof exportFinding>;

export const exportPreview = z
  .object({
    findings: z.array(exportFinding),
    items: z.number(),
    lines: z.number(),
  })
  .describe("What an export would hold, and leave out.");
export type ExportPreview = z.infer<typeof exportPreview>;
