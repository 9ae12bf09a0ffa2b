import * as z from "zod";
import { newShell, terminalChange, terminalView } from "../schemas/terminal.ts";
import type { RouteTable } from "./route.ts";

export const terminalRoutes = {
  "GET /api/terminals": {
    name: "listTerminals",
    kind: "read",
    tag: "Terminals",
    role: "viewer",
    summary: "List all terminals",
    response: z.array(terminalView),
  },
  "POST /api/sessions/:session/shells": {
    name: "openShell",
    kind: "command",
    tag: "Terminals",
    role: "approver",
    summary: "Open a shell in the session's folder",
    description:
      "The shell runs on the session's machine as the person whose runner it is, and stays until it ends or is closed. It gets the id of the command. Its output comes over the WebSocket.",
    body: newShell,
    status: 201,
    response: terminalView,
    errors: ["no-such-session", "runner-away", "shell-failed", "too-many-terminals"],
  },
  "PATCH /api/terminals/:terminal": {
    name: "renameTerminal",
    kind: "command",
    tag: "Terminals",
    role: "approver",
    summary: "Rename a terminal",
    body: terminalChange,
    status: 204,
    response: "nothing",
    errors: ["no-such-terminal", "runner-away"],
  },
  "DELETE /api/terminals/:terminal": {
    name: "closeTerminal",
    kind: "command",
    tag: "Terminals",
    role: "approver",
    summary: "End a shell and close its terminal",
    status: 204,
    response: "nothing",
    errors: ["no-such-terminal", "runner-away", "agent-terminal"],
  },
} as const satisfies RouteTable;
