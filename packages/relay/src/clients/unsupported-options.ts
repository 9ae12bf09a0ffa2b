import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { HubRefusal } from "@signalbox/hub/extension";

/** Other options that an agent gets only once, from the host that initializes it. */
const instructionFields = [
  "systemPrompt",
  "appendSystemPrompt",
  "appendSubagentSystemPrompt",
  "planModeInstructions",
  "agents",
  "skills",
  "toolAliases",
] as const;

/**
 * Hooks, MCP servers and instructions come from the host that initialized the agent, which is the
 * runner. A client whose `initialize` brings some is refused by name.
 */
export function refuseUnsupportedOptions(fields: JsonObject): void {
  const { hooks, sdkMcpServers, jsonSchema, ...others } = fields;
  const named = [
    ...(isObject(hooks) ? Object.keys(hooks).map((name) => `the hook ${name}`) : []),
    ...(Array.isArray(sdkMcpServers) ? sdkMcpServers.map((name) => `the MCP server ${name}`) : []),
    ...(isObject(jsonSchema) ? ["the schema for results"] : []),
    ...instructionFields.filter((name) => (others[name] ?? null) !== null),
  ];
  if (named.length === 0) return;
  const detail = `Not supported here: ${named.join(", ")}. Leave it out, because Signalbox is the host of this session's agent.`;
  throw new HubRefusal(409, "not-served", detail);
}
