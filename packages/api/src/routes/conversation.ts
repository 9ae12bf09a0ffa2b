import * as z from "zod";
import {
  agentAbilities,
  folderContents,
  itemsPage,
  linesPage,
  outputTail,
  timelineItem,
} from "../schemas/http.ts";
import { pageLimit, position, runnerQuery } from "./parameters.ts";
import type { RouteTable } from "./route.ts";

export const conversationRoutes = {
  "GET /api/sessions/:session/items": {
    name: "listItems",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Get a page of the conversation, in ascending order",
    query: z.object({
      before: position
        .optional()
        .describe("Only items before this order; the newest unless given."),
      limit: pageLimit,
    }),
    response: itemsPage,
    errors: ["no-such-session"],
  },
  "GET /api/sessions/:session/items/:item": {
    name: "getItem",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Get one item as it is now, stored or not",
    response: timelineItem,
    errors: ["no-such-item", "no-such-session"],
  },
  "GET /api/sessions/:session/items/:item/output": {
    name: "getTaskOutput",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Get the end of what a command in the background has printed",
    response: outputTail,
    errors: ["no-output", "no-such-item", "no-such-session", "runner-away"],
  },
  "GET /api/sessions/:session/changes": {
    name: "listFileChanges",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "List the newest calls that changed a file, in ascending order",
    query: z.object({
      path: z.string().min(1).max(4096).describe("The file, as the session's summary names it."),
      limit: pageLimit,
    }),
    response: itemsPage,
    errors: ["no-such-session"],
  },
  "GET /api/sessions/:session/lines": {
    name: "listLines",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Get a page of the log of lines, in ascending order",
    query: z.object({
      after: position.exactOptional().describe("Only lines after this position."),
      before: position.exactOptional().describe("Only lines before this position."),
      limit: pageLimit,
    }),
    response: linesPage,
    errors: ["no-such-session"],
  },
  "GET /api/sessions/:session/abilities": {
    name: "getAbilities",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Get the slash commands, models and account of the newest run's agent",
    response: agentAbilities,
    errors: ["no-such-session"],
  },
  "GET /api/sessions/:session/files": {
    name: "findFiles",
    kind: "read",
    tag: "Conversation",
    role: "driver",
    summary: "Find files below the session's folder",
    query: z.object({
      query: z.string().max(500).default("").describe("Letters that the path has to contain."),
    }),
    response: z.array(z.string()),
    errors: ["folder-not-allowed", "machine-busy", "no-such-session", "runner-away"],
  },
  "GET /api/folders": {
    name: "listFolders",
    kind: "read",
    tag: "Conversation",
    role: "driver",
    summary: "List the folders in a folder of a runner's machine",
    description: "A driver sees the allowed folders and what is below them.",
    query: z.object({
      runner: runnerQuery,
      path: z.string().max(4096).optional().describe("The home folder unless given."),
    }),
    response: folderContents,
    errors: ["bad-path", "folder-not-allowed", "no-such-runner", "runner-away"],
  },
  "GET /api/folders/files": {
    name: "findFolderFiles",
    kind: "read",
    tag: "Conversation",
    role: "driver",
    summary: "Find files below a folder of a runner's machine",
    description: "A driver can search the allowed folders and what is below them.",
    query: z.object({
      runner: runnerQuery,
      path: z.string().max(4096).describe("The folder."),
      query: z.string().max(500).default("").describe("Letters that the path has to contain."),
    }),
    response: z.array(z.string()),
    errors: ["bad-path", "folder-not-allowed", "machine-busy", "no-such-runner", "runner-away"],
  },
  "GET /api/blobs/:hash": {
    name: "getBlob",
    kind: "read",
    tag: "Conversation",
    role: "viewer",
    summary: "Get a large body, whole or a range of its bytes",
    response: "bytes",
    errors: ["no-such-range"],
  },
} as const satisfies RouteTable;
