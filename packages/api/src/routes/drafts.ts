import * as z from "zod";
import { draftSaved, draftView, newDraft } from "../schemas/draft.ts";
import type { RouteTable } from "./route.ts";

export const draftRoutes = {
  "GET /api/drafts": {
    name: "listDrafts",
    kind: "read",
    tag: "Messages",
    role: "driver",
    summary: "List the messages that are being written",
    response: z.array(draftView),
  },
  "PUT /api/drafts": {
    name: "saveDraft",
    kind: "command",
    tag: "Messages",
    role: "driver",
    summary: "Save a message that is being written, for all devices",
    description:
      "It counts only if nobody has changed the draft since `base`. Every driver's stream gets the draft as a `draft` frame. A session's draft is deleted with it.",
    body: newDraft,
    bodyLimit: 16 * 1024 * 1024,
    response: draftSaved,
    errors: ["no-such-session", "too-many-drafts"],
  },
} as const satisfies RouteTable;
