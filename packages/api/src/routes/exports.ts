import * as z from "zod";
import { exportFormat, exportPreview } from "../schemas/export.ts";
import type { RouteTable } from "./route.ts";

const query = {
  format: exportFormat,
  words: z
    .string()
    .max(2000)
    .default("")
    .describe("Words that are left out, one in each line, whatever their case."),
};

export const exportRoutes = {
  "GET /api/sessions/:session/export": {
    name: "exportSession",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Export a conversation as Markdown, HTML or raw lines",
    description:
      "Keys and tokens, home paths, e-mail addresses and chosen words are replaced, except those in `keep`.",
    query: z.object({
      ...query,
      keep: z
        .string()
        .max(40_000)
        .default("")
        .describe("The ids of findings that are kept, with commas between."),
    }),
    response: "bytes",
    errors: ["no-such-session"],
  },
  "GET /api/sessions/:session/export/preview": {
    name: "previewExport",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Get what an export would leave out",
    query: z.object(query),
    response: exportPreview,
    errors: ["no-such-session"],
  },
} as const satisfies RouteTable;
