import { importRequest, importSettings, importStatus } from "../schemas/import.ts";
import type { RouteTable } from "./route.ts";

export const importRoutes = {
  "GET /api/import": {
    name: "getImport",
    kind: "read",
    tag: "Sessions",
    role: "viewer",
    summary: "Get how far Claude Code's own sessions are imported",
    response: importStatus,
  },
  "PUT /api/import": {
    name: "setImport",
    kind: "command",
    tag: "Sessions",
    role: "approver",
    summary: "Set whether and from where Claude Code's own sessions are imported",
    description:
      "Switched off, nothing more is listed and copied; sessions that are there stay. They are copied in the background with about a tenth of a core.",
    body: importSettings,
    response: importStatus,
  },
  "POST /api/import": {
    name: "importNow",
    kind: "command",
    tag: "Sessions",
    role: "driver",
    summary: "Import Claude Code's own sessions now, at full speed",
    description:
      "Answers at once. `GET /api/import` tells how far it is. A folder that is not in the settings takes an approver.",
    body: importRequest,
    response: importStatus,
    errors: ["approver-needed", "import-off"],
  },
} as const satisfies RouteTable;
