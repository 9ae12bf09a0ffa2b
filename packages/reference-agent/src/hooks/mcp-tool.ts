import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { AnswerLate } from "../mcp/pending.ts";
import type { Session } from "../session.ts";
import { untilAborted } from "../until-aborted.ts";
import type { HookEnd } from "./hook-end.ts";
import type { SettingsHook } from "./settings-hooks.ts";

/** Calls a tool of one of the session's servers. The result counts as a command's output. */
export async function callHookTool(
  { mcp }: Session,
  hook: SettingsHook,
  event: JsonObject,
  signal: AbortSignal,
): Promise<HookEnd> {
  const { source, hook_event_name: name } = event;
  if (name === "SessionStart" && source !== "clear" && source !== "compact") {
    const why = `mcp_tool hooks are not available for the '${name}' hook event (no MCP client context)`;
    return createFailedEnd(why);
  }
  const server = String(hook.body["server"]);
  if (mcp.get(server)?.status === "pending") await untilAborted(mcp.ready(), signal);
  const isThere = mcp.get(server)?.status === "connected";
  if (!isThere) return createFailedEnd(`MCP server '${server}' not connected`);
  const { tool, input = {} } = hook.body;
  try {
    const params = { name: tool, arguments: fillPlaceholders(input, event) };
    const options = { signal, timeoutMs: hook.timeoutMs };
    return getEnd(await mcp.ask(server, "tools/call", params, options));
  } catch (cause) {
    const end = createFailedEnd((cause as Error).message);
    return cause instanceof AnswerLate ? { ...end, failure: "late" } : end;
  }
}

const createFailedEnd = (stderr: string, stdout = ""): HookEnd => ({
  code: 1,
  stdout,
  stderr,
  failure: "unusable",
});

function getEnd(answer: unknown): HookEnd {
  const { content, isError } = isObject(answer) ? answer : {};
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const resultText = blocks
    .map(({ type, text }) => (type === "text" ? String(text) : `[${String(type)}]`))
    .join("\n");
  if (isError === true)
    return createFailedEnd(resultText || "MCP tool returned an error", resultText);
  return { code: 0, stdout: resultText, stderr: "" };
}

/**
 * Replaces `${tool_input.file_path}` and the like in texts of the input with values of the event; a
 * missing value is "".
 */
function fillPlaceholders(value: unknown, event: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one) => fillPlaceholders(one, event));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, fillPlaceholders(one, event)]),
    );
  }
  if (typeof value !== "string") return value;
  return value.replaceAll(/\$\{([a-z_][\w.]*)\}/gi, (_, path: string) => {
    const found = path.split(".").reduce<unknown>(getMember, event) ?? "";
    return typeof found === "string" ? found : JSON.stringify(found);
  });
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
