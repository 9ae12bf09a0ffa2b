import { isObject, type JsonObject } from "@signalbox/protocol";
import { Refusal } from "@signalbox/hub/extension";

/** What else an agent is told once, by who initializes it, and acts on. */
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
 * Hooks, MCP servers and instructions come with the host that initialized the agent: the runner. Who brings
 * some with an `initialize` of its own is refused by name.
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
  throw new Refusal(409, "not-served", detail);
}
