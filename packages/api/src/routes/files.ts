import * as z from "zod";
import { diffPath } from "../schemas/changes.ts";
import { contentMatches, fileContent, folderListing } from "../schemas/files.ts";
import type { RouteTable } from "./route.ts";

const errors = [
  "bad-path",
  "folder-not-allowed",
  "machine-busy",
  "no-such-session",
  "runner-away",
] as const;

export const fileRoutes = {
  "GET /api/sessions/:session/folder": {
    name: "listFolderEntries",
    kind: "read",
    tag: "Files",
    role: "driver",
    summary: "List what is in a folder of the session",
    description: "It takes a driver, because ignored files, which may hold secrets, are among it.",
    query: z.object({
      path: diffPath.optional().describe("From the session's folder; none: that folder itself."),
    }),
    response: folderListing,
    errors: [...errors, "runner-too-old"],
  },
  "GET /api/sessions/:session/folder/file": {
    name: "readFile",
    kind: "read",
    tag: "Files",
    role: "driver",
    summary: "Read a file of the session's folder",
    description: "At most 1 MiB of it. Links are named and never followed out of the folder.",
    query: z.object({ path: diffPath }),
    response: fileContent,
    errors: [...errors, "runner-too-old"],
  },
  "GET /api/sessions/:session/folder/search": {
    name: "searchFiles",
    kind: "read",
    tag: "Files",
    role: "driver",
    summary: "Search the contents of the session's files",
    description:
      "Files that Git ignores are left out. Letters match in either case, unless the text has a capital.",
    query: z.object({
      text: z
        .string()
        .min(1)
        .max(500)
        .refine((text) => !/[\0\r\n]/.test(text), "must be one line without NUL")
        .describe("The text to find."),
    }),
    response: contentMatches,
    errors: [...errors, "runner-too-old"],
  },
} as const satisfies RouteTable;
