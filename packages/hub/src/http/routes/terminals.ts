import type { TerminalRouteKey } from "@signalbox/api/routes";
import type { Handlers } from "../route.ts";

export const terminalHandlers: Handlers<TerminalRouteKey> = {
  "GET /api/terminals": ({ engine }) => engine.terminals.list(),
  "POST /api/sessions/:session/shells": ({ engine }, { commandId, params, body, caller }) =>
    engine.terminals.open(commandId, params.session, body, caller.actor),
  "PATCH /api/terminals/:terminal": ({ engine }, { params, body }) =>
    engine.terminals.rename(params.terminal, body),
  "DELETE /api/terminals/:terminal": ({ engine }, { params, caller }) =>
    engine.terminals.close(params.terminal, caller.actor),
};
