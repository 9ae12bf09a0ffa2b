import * as z from "zod";
import { folderTrust, trustDecision, trustGrant, trustRevocation } from "../schemas/trust.ts";
import { folderQuery, runnerQuery } from "./parameters.ts";
import type { RouteTable } from "./route.ts";

export const trustRoutes = {
  "GET /api/trust": {
    name: "listTrustDecisions",
    kind: "read",
    tag: "Trust",
    role: "viewer",
    summary: "List what was decided about folders that bring code of their own",
    response: z.array(trustDecision),
  },
  "GET /api/trust/folder": {
    name: "getFolderTrust",
    kind: "read",
    tag: "Trust",
    role: "driver",
    summary: "Get what a folder would run, and whether it is trusted",
    query: z.object({ runner: runnerQuery, folder: folderQuery }),
    response: folderTrust,
    errors: [
      "bad-folder",
      "folder-not-allowed",
      "machine-busy",
      "no-such-runner",
      "runner-away",
      "runner-too-old",
    ],
  },
  "GET /api/sessions/:session/trust": {
    name: "getSessionTrust",
    kind: "read",
    tag: "Trust",
    role: "viewer",
    summary: "Get what the session's folder would run, and whether it is trusted",
    response: folderTrust,
    errors: ["machine-busy", "no-such-session", "runner-away", "runner-too-old"],
  },
  "POST /api/trust/grant": {
    name: "grantTrust",
    kind: "command",
    tag: "Trust",
    role: "approver",
    summary: "Trust a folder as it was shown",
    description:
      "The folder's own code counts from the next run on. `hash` is that of what was shown; where the folder has changed since, it is refused.",
    body: trustGrant,
    response: folderTrust,
    errors: [
      "machine-busy",
      "no-such-runner",
      "runner-away",
      "runner-too-old",
      "signature-needed",
      "stale-hash",
      "wrong-signature",
    ],
  },
  "POST /api/trust/revoke": {
    name: "revokeTrust",
    kind: "command",
    tag: "Trust",
    role: "driver",
    summary: "Keep a folder's own code off from the next run on",
    body: trustRevocation,
    response: folderTrust,
    errors: ["machine-busy", "no-such-runner", "runner-away", "runner-too-old"],
  },
} as const satisfies RouteTable;
