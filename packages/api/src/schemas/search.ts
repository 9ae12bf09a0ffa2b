import * as z from "zod";

const snippetPart = z.object({
  text: z.string(),
  match: z.literal(true).optional().describe("One of the words that were looked for."),
});

export const searchHit = z
  .object({
    session: z.string(),
    title: z.string().describe("The session's title."),
    folder: z.string().describe("The session's folder."),
    isImported: z.boolean().describe("The session was begun in Claude Code itself."),
    item: z.string().describe("The id of the item in its session."),
    at: z.number().nullable().describe("When it was said or done, in milliseconds."),
    kind: z.string().describe("The item's kind, such as `prompt`, `text` or `tool`."),
    tool: z.string().nullable(),
    path: z.string().nullable().describe("The file that the tool read or changed."),
    isError: z.boolean(),
    snippet: z.array(snippetPart).describe("The passage with the most matches."),
  })
  .describe("An item that was found.");
export type SearchHitView = z.infer<typeof searchHit>;

export const searchResults = z
  .object({
    hits: z.array(searchHit).describe("The best matches first; newer ones count more."),
    more: z.boolean().describe("There are further matches."),
    pending: z
      .number()
      .describe("So many sessions are not yet in the index completely, and may hold more."),
    problems: z.array(z.string()).describe("Filters that were not understood, and why."),
  })
  .describe("What a search found.");
export type SearchResults = z.infer<typeof searchResults>;
