import type { JsonObject } from "@signalbox/protocol/wire";
import { addRule, needsPersonWhilePlanning } from "../permission/verdict.ts";
import type { Session } from "../session.ts";
import { type Tool, ToolFailure } from "../tool.ts";
import { callWithConsent } from "./consent.ts";
import { clean } from "./names.ts";
import { AnswerLate } from "./pending.ts";
import { listResources, readResource } from "./resource-tools.ts";
import { getOutput } from "./result.ts";
import { serverNamed } from "./server.ts";
import type { McpTool } from "./tool-list.ts";

const mcpToolName = ({ server, name }: McpTool): string => `mcp__${clean(server)}__${clean(name)}`;

/** Makes the tools of all connected servers available as tools of the agent. */
export function mcpTools(session: Session): Tool[] {
  const tools = session.mcp.tools.map(asTool);
  const withResources = session.mcp.all.some(
    ({ status, capabilities }) => status === "connected" && capabilities["resources"] !== undefined,
  );
  return withResources ? [...tools, listResources, readResource] : tools;
}

function asTool(tool: McpTool): Tool {
  const name = mcpToolName(tool);
  const onlyReads = tool.annotations["readOnlyHint"] === true;
  return {
    name,
    displayName: tool.title ?? toTitle(tool.name),
    description: tool.description.slice(0, 4000),
    input: tool.inputSchema,
    origin: { server: tool.server, tool: tool.name },
    ...(tool.maxChars === undefined ? {} : { maxChars: tool.maxChars }),
    beginsAtOnce: () => true,
    sideBySide: () => onlyReads,
    judge(_input, { session }) {
      const fields = serverNamed(session.mcp, tool.server);
      if (!onlyReads && session.permission.mode === "plan") {
        return needsPersonWhilePlanning(`call ${name}`, fields);
      }
      return {
        behavior: "pass",
        suggestions: [addRule(name, undefined, "localSettings")],
        fields,
      };
    },
    async run(input, { session, toolUseId, signal }) {
      const timeoutMs = getTimeout(session, tool);
      const params = getCall(tool, input, toolUseId);
      const call = () => session.mcp.call(tool.server, params, { signal, timeoutMs });
      const ended = await callWithConsent(session, tool, signal, call).catch((cause: unknown) => {
        if (signal.aborted) throw new ToolFailure(CUT_OFF);
        throw cause instanceof AnswerLate ? createTimeoutFailure(tool, timeoutMs) : cause;
      });
      return "refused" in ended ? ended.refused : getOutput(session, tool, ended.answer);
    },
  };
}

/**
 * Returns the timeout of a call. A server's own timeout takes precedence, unless it is too short to
 * be plausible.
 */
function getTimeout({ mcp, context }: Session, { server }: McpTool): number {
  const own = mcp.get(server)?.config.timeout;
  if (typeof own === "number" && own >= 1000) return own;
  return Number(context.environment["MCP_TOOL_TIMEOUT"]) || 600_000;
}

function createTimeoutFailure({ server, name }: McpTool, timeoutMs: number): ToolFailure {
  const seconds = Math.floor(timeoutMs / 1000);
  return new ToolFailure(`MCP server "${server}" tool "${name}" timed out after ${seconds}s`);
}

const CUT_OFF =
  "The call was cut off before its result came. The server may have done it all the same: look before you rely on it or repeat it.";

function getCall(tool: McpTool, input: JsonObject, toolUseId: string): JsonObject {
  return { name: tool.name, arguments: input, _meta: { "claudecode/toolUseId": toolUseId } };
}

/** Makes a readable title from the last part of a name. */
function toTitle(name: string): string {
  const last = clean(name).split("__").at(-1) ?? "";
  return last.replaceAll("_", " ").replace(/\b\w/g, (letter) => letter.toUpperCase());
}
