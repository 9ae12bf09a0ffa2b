import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { isOlder } from "../stdio/version.ts";

/** The longest time in seconds that a hook may take: a person may answer weeks later. */
const MAX_TIMEOUT_SECONDS = 2_000_000;

/**
 * The versions that first had an event. A version that does not know one shows an error and ignores
 * all settings. Events that are not listed are in every version that we support.
 */
const since: Readonly<Record<string, string>> = { ConfigChange: "2.1.49" };

/** The events that tell what the agent does, and the requests that it shows. */
const ownEvents = ["SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop"];
const toolEvents: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
]);

/** The hooks that the host has registered, by event: their ids and the tools that they are for. */
export class RegisteredHooks {
  readonly #byEvent = new Map<string, { readonly id: string; readonly matcher?: string }[]>();

  /** `registration` has the form of the field `hooks` of `initialize`. */
  constructor(registration: unknown) {
    if (!isObject(registration)) return;
    for (const [event, entries] of Object.entries(registration)) {
      const hooks = Array.isArray(entries) ? entries.filter(isObject) : [];
      const ids = hooks.flatMap(({ hookCallbackIds, matcher }) =>
        (Array.isArray(hookCallbackIds) ? hookCallbackIds : []).map((id) => ({
          id: String(id),
          ...(typeof matcher === "string" && { matcher }),
        })),
      );
      if (ids.length > 0) this.#byEvent.set(event, ids);
    }
  }

  get events(): readonly string[] {
    return [...this.#byEvent.keys()];
  }

  /** The ids of the hooks for this input. */
  find(input: JsonObject): readonly string[] {
    const tool = typeof input["tool_name"] === "string" ? input["tool_name"] : "";
    const hooks = this.#byEvent.get(String(input["hook_event_name"])) ?? [];
    return hooks.filter(({ matcher }) => matches(matcher, tool)).map(({ id }) => id);
  }
}

function matches(matcher: string | undefined, tool: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool);
  } catch {
    return matcher === tool;
  }
}

/** The setting `hooks` of one run: the events that we need, and those of the host. */
export function createHookSettings(
  registered: RegisteredHooks,
  version: string,
  command: (isRequired: boolean) => string,
): JsonObject {
  const events = new Set([...ownEvents, ...registered.events]);
  const known = [...events].filter((event) => !isOlder(version, since[event] ?? "0"));
  const entries = known.map((event) => {
    const hook = {
      type: "command",
      command: command(event === "PreToolUse"),
      timeout: MAX_TIMEOUT_SECONDS,
    };
    return [event, [{ ...(toolEvents.has(event) && { matcher: "*" }), hooks: [hook] }]] as const;
  });
  return Object.fromEntries(entries);
}

/** Adds the hooks to the settings of a launch, which keep their own. */
export function addHooks(settings: object | undefined, hooks: JsonObject): object {
  const given: JsonObject = { ...settings };
  const before = isObject(given["hooks"]) ? given["hooks"] : {};
  const merged: JsonObject = { ...before };
  for (const [event, entries] of Object.entries(hooks)) {
    const own = Array.isArray(before[event]) ? (before[event] as unknown[]) : [];
    merged[event] = [...own, ...(entries as unknown[])];
  }
  return { ...given, hooks: merged };
}
