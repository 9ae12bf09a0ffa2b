import * as z from "zod";
import {
  agentSetting,
  agentView,
  allowedFoldersView,
  embeddingOrigins,
  newAllowedFolders,
  runnerView,
} from "../schemas/device.ts";
import {
  auditPage,
  environments,
  hubView,
  newEnvironments,
  sessionDefaults,
} from "../schemas/http.ts";
import { newProjectOptions, projectOptions } from "../schemas/session-options.ts";
import { pageLimit, runnerQuery } from "./parameters.ts";
import type { RouteTable } from "./route.ts";

export const hubRoutes = {
  "GET /api/hub": {
    name: "getHub",
    kind: "read",
    tag: "Hub",
    role: "viewer",
    summary: "Get the hub's identity and health, and the device that asks",
    response: hubView,
  },
  "GET /api/integrity": {
    name: "checkIntegrity",
    kind: "read",
    tag: "Hub",
    role: "driver",
    summary: "Check the whole database",
    description: "Takes longer the larger the database is.",
    response: z.object({ problems: z.array(z.string()) }),
  },
  "GET /api/metrics": {
    name: "getMetrics",
    kind: "read",
    tag: "Hub",
    role: "viewer",
    summary: "Get the figures of the hub for Prometheus, also at /metrics",
    description:
      "Text in the format of Prometheus: sessions by state, lines, transactions, open requests, clients and machines. A bearer token for a program is enough.",
    response: "bytes",
  },
  "GET /api/runners": {
    name: "listRunners",
    kind: "read",
    tag: "Hub",
    role: "viewer",
    summary: "List the machines that agents run on",
    response: z.array(runnerView),
  },
  "GET /api/agents": {
    name: "listAgents",
    kind: "read",
    tag: "Hub",
    role: "viewer",
    summary: "List the agents of the settings, and what was found of them on a runner",
    query: z.object({ runner: runnerQuery }),
    response: z.array(agentView),
    errors: ["no-such-runner", "runner-away"],
  },
  "POST /api/agents/test": {
    name: "testAgent",
    kind: "command",
    tag: "Hub",
    role: "admin",
    summary: "Look for an agent's program on a machine without saving the agent",
    description:
      "Asks the program for its version. A package is not installed: it is installed when a session first uses it.",
    query: z.object({ runner: runnerQuery }),
    body: agentSetting,
    response: agentView,
    errors: ["bad-package", "bad-path", "no-such-runner", "runner-away", "two-programs"],
  },
  "PUT /api/agents": {
    name: "setAgents",
    kind: "command",
    tag: "Hub",
    role: "admin",
    summary: "Set the agents",
    body: z.array(agentSetting).max(100),
    status: 204,
    response: "nothing",
    errors: [
      "askless-flag",
      "bad-package",
      "bad-path",
      "name-twice",
      "no-such-driver",
      "no-such-environment",
      "two-programs",
    ],
  },
  "GET /api/environments": {
    name: "listEnvironments",
    kind: "read",
    tag: "Hub",
    role: "admin",
    summary: "List the environment profiles",
    description: "Values of secrets are null: they are never returned.",
    response: environments,
  },
  "GET /api/environments/names": {
    name: "listEnvironmentNames",
    kind: "read",
    tag: "Hub",
    role: "viewer",
    summary: "List the names of the environment profiles",
    response: z.array(z.string()),
  },
  "PUT /api/environments": {
    name: "setEnvironments",
    kind: "command",
    tag: "Hub",
    role: "admin",
    summary: "Set the environment profiles",
    description:
      "A profile that is left out is removed. Null keeps the stored value of a variable, so that what was listed can be sent back with changes.",
    body: newEnvironments,
    status: 204,
    response: "nothing",
    errors: ["no-such-value"],
  },
  "GET /api/session-defaults": {
    name: "getSessionDefaults",
    kind: "read",
    tag: "Hub",
    role: "viewer",
    summary: "Get the permission and the request time limit of new sessions",
    response: sessionDefaults,
  },
  "PUT /api/session-defaults": {
    name: "setSessionDefaults",
    kind: "command",
    tag: "Hub",
    role: "approver",
    summary: "Set the permission and the request time limit of new sessions",
    description:
      "The time limit applies to requests that are made from then on, in sessions that have no `askLimitMinutes` of their own.",
    body: sessionDefaults,
    status: 204,
    response: "nothing",
  },
  "GET /api/project-options": {
    name: "listProjectOptions",
    kind: "read",
    tag: "Hub",
    role: "driver",
    summary: "List the options that new sessions of a folder have by default",
    response: z.array(projectOptions),
  },
  "PUT /api/project-options": {
    name: "setProjectOptions",
    kind: "command",
    tag: "Hub",
    role: "approver",
    summary: "Set the options that new sessions of a folder have by default",
    description:
      "A new session has them unless it names another value or lists the option in `withoutDefaults`. A session that a driver creates has no looser policy, mode or isolation than a driver may choose.",
    body: newProjectOptions,
    status: 204,
    response: "nothing",
    errors: [
      "askless-mode",
      "bad-folder",
      "no-such-agent",
      "no-such-driver",
      "no-such-effort",
      "no-such-environment",
      "no-such-runner",
      "runner-away",
    ],
  },
  "GET /api/allowed-folders": {
    name: "listAllowedFolders",
    kind: "read",
    tag: "Hub",
    role: "driver",
    summary: "List the folders of each machine below which drivers may start sessions",
    response: z.array(allowedFoldersView),
  },
  "PUT /api/allowed-folders": {
    name: "setAllowedFolders",
    kind: "command",
    tag: "Hub",
    role: "admin",
    summary: "Set the allowed folders of a machine",
    description: "`folders: null` stands for the home folder again.",
    body: newAllowedFolders,
    status: 204,
    response: "nothing",
    errors: ["bad-folder", "no-such-runner"],
  },
  "GET /api/embedding-origins": {
    name: "getEmbeddingOrigins",
    kind: "read",
    tag: "Hub",
    role: "driver",
    summary: "List the origins of other programs' pages that may use this hub",
    response: embeddingOrigins,
  },
  "PUT /api/embedding-origins": {
    name: "setEmbeddingOrigins",
    kind: "command",
    tag: "Hub",
    role: "approver",
    summary: "Set the origins of other programs' pages that may use this hub",
    description:
      "A page at a listed origin may use the API and the stream with a device of its own, which is a viewer or a driver. Connections of an origin that is no longer listed are closed.",
    body: embeddingOrigins,
    status: 204,
    response: "nothing",
  },
  "GET /api/audit": {
    name: "listAuditEntries",
    kind: "read",
    tag: "Hub",
    role: "driver",
    summary: "Get a page of the audit log, the newest entries first",
    query: z.object({
      before: z.coerce
        .number<string>()
        .int()
        .min(1)
        .optional()
        .describe("Only entries before this number."),
      limit: pageLimit,
      verify: z.literal("1").optional().describe("Check the whole chain."),
      heads: z
        .string()
        .regex(/^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,99}$/)
        .optional()
        .describe(
          "Heads that a device has kept, with commas between: one that is missing shows that the end was cut off.",
        ),
    }),
    response: auditPage,
  },
  "GET /api/openapi.json": {
    name: "getDescription",
    kind: "read",
    tag: "Hub",
    role: "viewer",
    summary: "Get this description of the API",
    response: z.looseObject({ openapi: z.string() }),
  },
} as const satisfies RouteTable;
