import * as z from "zod";
import { comparisonName, diffPath, fileDiff, workingChanges } from "../schemas/changes.ts";
import type { RouteTable } from "./route.ts";

export const changesRoutes = {
  "GET /api/sessions/:session/working-changes": {
    name: "listWorkingChanges",
    kind: "read",
    tag: "Changes",
    role: "viewer",
    summary: "List the files that have changed in the session's folder",
    description: "Git's own view of the folder: whoever changed a file, it is listed.",
    query: z.object({ against: comparisonName }),
    response: workingChanges,
    errors: ["folder-not-allowed", "no-such-revision", "no-such-session", "runner-away"],
  },
  "GET /api/sessions/:session/working-changes/file": {
    name: "getFileDiff",
    kind: "read",
    tag: "Changes",
    role: "viewer",
    summary: "Get the change of one file",
    query: z.object({
      against: comparisonName,
      path: diffPath,
      from: diffPath.optional().describe("The path that a renamed file had before."),
      context: z.coerce
        .number<string>()
        .int()
        .min(0)
        .max(100_000)
        .default(3)
        .describe("Unchanged lines around each change."),
      whitespace: z
        .enum(["show", "ignore"])
        .default("show")
        .describe("Whether changes of whitespace alone are changes."),
    }),
    response: fileDiff,
    errors: [
      "bad-path",
      "folder-not-allowed",
      "no-such-revision",
      "no-such-session",
      "runner-away",
    ],
  },
} as const satisfies RouteTable;
