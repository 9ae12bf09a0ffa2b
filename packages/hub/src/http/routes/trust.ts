import { folderTrust, trustDecision, trustGrant, trustRevocation } from "@signalbox/api";
import * as z from "zod";
import { command, read } from "../route.ts";

export const trustRoutes = [
  read({
    path: "/api/trust",
    role: "viewer",
    summary: "What was decided about folders that bring code of their own",
    response: z.array(trustDecision),
    handler: ({ engine }) => engine.trustDecisions(),
  }),
  read({
    path: "/api/trust/folder",
    role: "driver",
    summary: "What a folder of a runner's machine would run, and whether it is trusted",
    query: z.object({ runner: z.uuid().optional(), folder: z.string().min(1).max(4096) }),
    response: folderTrust,
    handler: ({ engine }, { query, who }) =>
      engine.folderTrust(query.runner, query.folder, who.actor),
  }),
  read({
    path: "/api/sessions/:session/trust",
    role: "viewer",
    summary: "What the session's folder would run, and whether it is trusted",
    response: folderTrust,
    handler: ({ engine }, { params }) => engine.sessionTrust(params.session),
  }),
  command({
    method: "POST",
    path: "/api/trust/grant",
    role: "approver",
    summary: "Trusts a folder as it was shown; its own code counts from the next run on",
    body: trustGrant,
    response: folderTrust,
    handler: ({ engine, access }, { body, who }) =>
      engine.grantTrust(body, who.actor, access.signedTrust(who, body)),
  }),
  command({
    method: "POST",
    path: "/api/trust/revoke",
    role: "driver",
    summary: "Keeps a folder's own code off from the next run on",
    body: trustRevocation,
    response: folderTrust,
    handler: ({ engine }, { body, who }) => engine.revokeTrust(body, who.actor),
  }),
];
