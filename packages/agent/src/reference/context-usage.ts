import { apiMessages } from "./model/conversation.ts";
import { factsOf } from "./model/models.ts";
import type { Session } from "./session.ts";
import { allTools } from "./tools/all.ts";
import { compactionThreshold } from "./turn/compact.ts";

export interface ContextUsage {
  readonly categories: { name: string; tokens: number; color: string; isDeferred?: boolean }[];
  readonly totalTokens: number;
  readonly maxTokens: number;
  readonly rawMaxTokens: number;
  readonly percentage: number;
  readonly model: string;
  readonly [field: string]: unknown;
}

/** About as many tokens as a text has, by the usual four characters for one. */
const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value ?? "").length / 4);

/** What fills the model's window, estimated. */
export function contextUsage(session: Session): ContextUsage {
  const model = session.modelName;
  const { contextWindow } = factsOf(model);
  const tools = allTools(session);
  const own = tools.filter(({ name }) => !name.startsWith("mcp__"));
  const mcp = tools.filter(({ name }) => name.startsWith("mcp__"));
  const weigh = (list: typeof tools) =>
    tokensOf(list.map(({ name, description, input }) => ({ name, description, input })));
  const messages = tokensOf(apiMessages(session.conversation));
  const used = [
    { name: "System prompt", tokens: tokensOf(session.lastSystemPrompt), color: "promptBorder" },
    { name: "System tools", tokens: weigh(own), color: "inactive" },
    ...(mcp.length > 0 ? [{ name: "MCP tools", tokens: weigh(mcp), color: "cyan" }] : []),
    { name: "Messages", tokens: messages, color: "purple" },
  ];
  const totalTokens = used.reduce((sum, { tokens }) => sum + tokens, 0);
  const threshold = compactionThreshold(model);
  const reserve = contextWindow - threshold;
  return {
    categories: [
      ...used,
      { name: "Free space", tokens: Math.max(0, threshold - totalTokens), color: "promptBorder" },
      { name: "Autocompact buffer", tokens: reserve, color: "inactive" },
    ],
    totalTokens,
    maxTokens: contextWindow,
    rawMaxTokens: contextWindow,
    percentage: Math.round((totalTokens / contextWindow) * 100),
    gridRows: [],
    model,
    memoryFiles: [],
    mcpTools: mcp.map(({ name, description, input }) => ({
      name,
      serverName: /^mcp__((?:(?!__).)+)__/.exec(name)?.[1] ?? "",
      tokens: tokensOf({ name, description, input }),
      isLoaded: true,
    })),
    agents: session.agents.map(({ type, description }) => ({
      agentType: type,
      source: "built-in",
      tokens: tokensOf(description),
    })),
    autoCompactThreshold: threshold,
    isAutoCompactEnabled: true,
    apiUsage: null,
  };
}
