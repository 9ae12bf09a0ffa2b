import * as z from "zod";
import { comparisonName, diffPath, fileDiff, workingChanges } from "../schemas/changes.ts";
import { revertedChange, stagedChange, undoHandle } from "../schemas/git-actions.ts";
import type { RouteTable } from "./route.ts";

const HUNK_LIMIT = 16 * 1024 * 1024;
const actionErrors = [
  "bad-path",
  "filter-off",
  "folder-not-allowed",
  "no-repository",
  "no-such-session",
  "repository-busy",
  "runner-away",
] as const;

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
    errors: [
      "folder-not-allowed",
      "machine-busy",
      "no-such-revision",
      "no-such-session",
      "runner-away",
    ],
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
      "machine-busy",
      "no-such-revision",
      "no-such-session",
      "runner-away",
    ],
  },
  "POST /api/sessions/:session/working-changes/stage": {
    name: "stageChange",
    kind: "command",
    tag: "Changes",
    role: "driver",
    summary: "Put a file or a hunk into the index",
    description: "A hunk is one of the change against `index`.",
    body: stagedChange,
    bodyLimit: HUNK_LIMIT,
    status: 204,
    response: "nothing",
    errors: [...actionErrors, "stale-hunk"],
  },
  "POST /api/sessions/:session/working-changes/unstage": {
    name: "unstageChange",
    kind: "command",
    tag: "Changes",
    role: "driver",
    summary: "Take a file or a hunk out of the index",
    description: "A hunk is one of the change against `staged`.",
    body: stagedChange,
    bodyLimit: HUNK_LIMIT,
    status: 204,
    response: "nothing",
    errors: [...actionErrors, "stale-hunk"],
  },
  "POST /api/sessions/:session/working-changes/revert": {
    name: "revertChange",
    kind: "command",
    tag: "Changes",
    role: "driver",
    summary: "Make a file or a hunk as it is in what it is compared with",
    description:
      "A file that is not there is deleted. What was there is kept by the machine for seven days, or until a hundred later reverts, and put back by `undo`.",
    body: revertedChange,
    bodyLimit: HUNK_LIMIT,
    response: undoHandle,
    errors: [...actionErrors, "no-such-revision", "stale-hunk"],
  },
  "POST /api/sessions/:session/working-changes/undo": {
    name: "undoRevert",
    kind: "command",
    tag: "Changes",
    role: "driver",
    summary: "Put back what a revert has changed, byte for byte",
    description: "Refused if the file has changed since.",
    body: undoHandle,
    status: 204,
    response: "nothing",
    errors: ["folder-not-allowed", "no-such-session", "no-such-undo", "runner-away", "stale-undo"],
  },
} as const satisfies RouteTable;
