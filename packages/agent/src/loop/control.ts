import { isObject, ControlRefusal } from "@signalbox/protocol/wire";
import type { Agent, ControlRequest } from "../agent.ts";
import { permissionModes } from "../command-line/options.ts";
import type { Session } from "../sessions/open-session.ts";

/** What a host may set on an agent that does not handle the setting itself. */
export interface Settings {
  model: string | undefined;
  permissionMode: string;
}

/**
 * Answers control requests that the loop does not handle: the agent is asked first, then the kit
 * answers if it can.
 */
export async function answerControl(
  request: ControlRequest,
  signal: AbortSignal,
  { agent, settings }: { agent: Agent; settings: Settings },
): Promise<object | null> {
  checkRequest(request);
  const answer = await agent.control?.(request, signal);
  if (answer !== undefined) return answer;
  switch (request.subtype) {
    case "set_permission_mode":
      return setPermissionMode(request, settings);
    case "set_model": {
      const { model } = request;
      settings.model = typeof model === "string" && model !== "default" ? model : undefined;
      return {};
    }
    case "set_max_thinking_tokens":
      return null;
    case "mcp_status":
      return { mcpServers: [] };
    case "mcp_set_servers":
      return { added: [], removed: [], errors: {} };
    case "mcp_message":
      return null;
    case "get_context_usage":
      return { categories: [], totalTokens: 0 };
    default:
      throw ControlRefusal.unsupported(request.subtype);
  }
}

/**
 * Whether a request changes a setting. Such requests are applied one after the other, because the
 * last one counts.
 */
export const isSetting = (subtype: string): boolean => /^(?:set_|apply_)/.test(subtype);

/** Refuses a request with a field of a wrong type, in Claude Code's wording. */
export function checkRequest(request: ControlRequest): void {
  const { subtype, model, max_thinking_tokens: tokens, hooks } = request;
  if (subtype === "set_model" && !isTextOrNone(model)) {
    throw new ControlRefusal("set_model: model must be a string", "invalid_request");
  }
  if (subtype === "set_max_thinking_tokens" && (tokens ?? null) !== null) {
    if (!Number.isInteger(tokens)) {
      throw new ControlRefusal(
        'set_max_thinking_tokens: max_thinking_tokens must be an integer or null and thinking_display must be "summarized", "omitted", "highlights", or null',
      );
    }
  }
  if (subtype === "initialize" && !areHooks(hooks)) {
    throw new ControlRefusal(
      "initialize: hooks must map hook events to arrays of matchers carrying hookCallbackIds arrays and string matchers",
    );
  }
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

function areHooks(hooks: unknown): boolean {
  if (hooks === undefined || hooks === null) return true;
  if (!isObject(hooks)) return false;
  const isMatcher = (one: unknown) =>
    isObject(one) && Array.isArray(one["hookCallbackIds"]) && isTextOrNone(one["matcher"]);
  return Object.values(hooks).every((all) => Array.isArray(all) && all.every(isMatcher));
}

export async function rewind(request: ControlRequest, { checkpoints }: Session): Promise<object> {
  const { user_message_id: id, dry_run: dryRun } = request;
  const answer = await checkpoints.rewind(String(id), dryRun === true);
  if (answer.error !== undefined && dryRun !== true) throw new ControlRefusal(answer.error);
  const { skippedLinks, ...foreseen } = answer;
  return dryRun === true ? foreseen : { canRewind: answer.canRewind, skippedLinks };
}

/** Modes that a host may set. `manual` is only known to the command line. */
const settableModes = permissionModes.filter((mode) => mode !== "manual").toSorted();

function setPermissionMode({ mode }: ControlRequest, settings: Settings): object {
  if (!settableModes.some((known) => known === mode)) {
    const known = settableModes.join(", ");
    throw new ControlRefusal(`Cannot set permission mode: must be one of ${known}`, "invalid_mode");
  }
  settings.permissionMode = String(mode);
  return { mode };
}
