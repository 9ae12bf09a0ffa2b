import * as z from "zod";

export const folderEntry = z
  .object({
    name: z.string().describe("Bytes that are not UTF-8 are `\\xNN`."),
    kind: z.enum(["folder", "file", "link", "other"]),
    ignored: z.literal(true).optional().describe("Git ignores it."),
    unreadableName: z
      .literal(true)
      .optional()
      .describe("Its name is not UTF-8: it cannot be opened."),
  })
  .describe("Something in a folder.");
export type FolderEntry = z.infer<typeof folderEntry>;

export const folderListing = z
  .object({
    entries: z.array(folderEntry).describe("Folders first, then by name."),
    more: z.number().describe("How many further ones there are."),
  })
  .describe("What is in a folder of a session.");
export type FolderListing = z.infer<typeof folderListing>;

export const fileContent = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      text: z.string(),
      bytes: z.number().describe("The size of the whole file."),
      cut: z.boolean().describe("The file is longer, and the text ends after a whole line."),
    }),
    z.object({ kind: z.literal("binary"), bytes: z.number() }),
    z.object({ kind: z.literal("link"), target: z.string() }),
    z.object({ kind: z.literal("none") }).describe("There is no such file, or not any more."),
  ])
  .describe("A file of a session's folder.");
export type FileContent = z.infer<typeof fileContent>;

export const contentMatch = z
  .object({ path: z.string(), line: z.number(), text: z.string() })
  .describe("A line that holds what was searched for.");
export type ContentMatch = z.infer<typeof contentMatch>;

export const contentMatches = z
  .object({
    matches: z.array(contentMatch),
    cut: z.boolean().describe("There may be more: too many were found, or it took too long."),
    by: z.enum(["ripgrep", "walk"]).describe("`walk`: without ripgrep, which takes longer."),
  })
  .describe("The lines of a session's files that hold a text.");
export type ContentMatches = z.infer<typeof contentMatches>;
