import * as z from "zod";
import { searchResults } from "../schemas/search.ts";
import type { RouteTable } from "./route.ts";

export const searchRoutes = {
  "GET /api/search": {
    name: "search",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Search everything that was said, done and shown",
    description:
      'Words, "phrases", prefix* and -excluded words. A part of a name is found, too: `rows` finds `readRows`. Filters: `path:`, `tool:`, `project:`, `before:` and `after:` (a date, or how long ago: `3d`), `is:error`, `from:me`. A last word that no space follows counts as a prefix.',
    query: z.object({
      q: z.string().max(1000).describe("What to look for."),
      session: z.string().optional().describe("Look in this session alone."),
      limit: z.coerce
        .number<string>()
        .int()
        .min(1)
        .max(200)
        .default(50)
        .describe("How many results at most."),
    }),
    response: searchResults,
    errors: ["no-such-session", "search-off"],
  },
} as const satisfies RouteTable;
