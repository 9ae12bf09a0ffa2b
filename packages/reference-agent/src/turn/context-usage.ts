import { contextGrid } from "./context-grid.ts";
import { apiMessages } from "../model/conversation.ts";
import { getFacts } from "../model/models.ts";
import type { Session } from "../session.ts";
import { mainTools } from "./all-tools.ts";
import type { Tool } from "../tool.ts";
import { compactionThreshold } from "./compact.ts";

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly tokens: number;
  readonly color: string;
  readonly kind: "used" | "buffer" | "free";
}

/** An estimate of what fills the model's window. */
export interface ContextUsage {
  readonly model: string;
  readonly totalTokens: number;
  readonly maxTokens: number;
  readonly percentage: number;
  readonly threshold: number;
  /** What is used, in order, followed by the reserve and the free space. */
  readonly categories: readonly Category[];
  readonly mcpTools: readonly { name: string; server: string; tokens: number }[];
  readonly agents: readonly { type: string; source: string; tokens: number }[];
  readonly memoryFiles: readonly { path: string; type: string; tokens: number }[];
  /** Undefined if the agent cannot use skills. */
  readonly skills: readonly { name: string; source: string; tokens: number }[] | undefined;
}

/** Estimates the tokens of a text, at the usual four characters each. */
const getTokens = (text: string): number => Math.ceil(text.length / 4);
/** The tokens for naming the file of a text. */
const MEMORY_FRAME = 20;
const getSum = (list: readonly { readonly tokens: number }[]): number =>
  list.reduce((sum, { tokens }) => sum + tokens, 0);
const weight = ({ name, description, input }: Tool): number =>
  getTokens(JSON.stringify({ name, description, input }));

export function contextUsage(session: Session): ContextUsage {
  const model = session.modelName;
  const { contextWindow } = getFacts(model);
  const tools = mainTools(session);
  const lists = {
    mcpTools: tools.filter(isOfServer).map((tool) => ({
      name: tool.name,
      server: /^mcp__((?:(?!__).)+)__/.exec(tool.name)?.[1] ?? "",
      tokens: weight(tool),
    })),
    agents: session.agents
      .flatMap(({ type, description, source }) =>
        source === undefined
          ? []
          : [{ type, source, tokens: getTokens(`${type}: ${description}`) }],
      )
      .toSorted((one, other) => one.type.localeCompare(other.type)),
    memoryFiles: (session.preface?.memory ?? []).map(({ path, type, text }) => ({
      path,
      type,
      tokens: MEMORY_FRAME + getTokens(text),
    })),
    skills: getSkills(session),
  };
  const used = usedBy(session, tools, lists);
  const totalTokens = getSum(used);
  const threshold = compactionThreshold(model);
  return {
    ...lists,
    model,
    totalTokens,
    maxTokens: contextWindow,
    percentage: Math.round((totalTokens / contextWindow) * 100),
    threshold,
    categories: [
      ...used,
      category("Autocompact buffer", contextWindow - threshold, "inactive", "buffer"),
      category("Free space", Math.max(0, threshold - totalTokens), "promptBorder", "free"),
    ],
  };
}

const isOfServer = ({ name }: Tool): boolean => name.startsWith("mcp__");

function usedBy(
  session: Session,
  tools: readonly Tool[],
  lists: Pick<ContextUsage, "mcpTools" | "agents" | "memoryFiles" | "skills">,
): Category[] {
  const { preface, conversation } = session;
  const prompt = getTokens((preface?.prompt ?? []).join("\n"));
  const own = tools.filter((tool) => !isOfServer(tool));
  const contextText = JSON.stringify(apiMessages(conversation)) + (preface?.environment ?? "");
  return [
    category("System prompt", prompt, "promptBorder"),
    category("System tools", getSum(own.map((tool) => ({ tokens: weight(tool) }))), "inactive"),
    category("MCP tools", getSum(lists.mcpTools), "cyan_FOR_SUBAGENTS_ONLY"),
    category("Custom agents", getSum(lists.agents), "permission"),
    category("Memory files", getSum(lists.memoryFiles), "claude"),
    category("Skills", getSum(lists.skills ?? []), "warning"),
    category("Messages", getTokens(contextText), "purple_FOR_SUBAGENTS_ONLY"),
  ].filter(({ tokens }) => tokens > 0);
}

function category(
  name: string,
  tokens: number,
  color: string,
  kind: Category["kind"] = "used",
): Category {
  return { id: name.toLowerCase().replaceAll(" ", "_"), name, tokens, color, kind };
}

/** Lists skills before commands. */
function getSkills({ commands, context }: Session): ContextUsage["skills"] {
  const offered = context.options.tools;
  if (offered && !offered.some((name) => name === "Skill" || name === "default")) return undefined;
  const known = commands.filter(({ forModel }) => forModel);
  const isSkill = ({ kind }: (typeof known)[number]) => Number(kind === "skill");
  return known
    .toSorted((one, other) => isSkill(other) - isSkill(one))
    .map(({ name, description, source }) => ({
      name,
      source,
      tokens: getTokens(`${name}: ${description}`),
    }));
}

/** Answers `get_context_usage`. */
export function describeContext(session: Session): object {
  const { threshold, skills = [], mcpTools, agents, ...usage } = contextUsage(session);
  const total = { tokens: getSum(skills) };
  const count = skills.length;
  return {
    ...usage,
    rawMaxTokens: usage.maxTokens,
    autocompactSource: "model-default",
    gridRows: contextGrid(usage.categories, usage.maxTokens),
    mcpTools: mcpTools.map(({ server, ...tool }) => ({
      ...tool,
      serverName: server,
      isLoaded: true,
    })),
    mcpInstructions: [],
    agents: agents.map(({ type, ...agent }) => ({ agentType: type, ...agent })),
    ...(count > 0 && {
      slashCommands: { totalCommands: count, includedCommands: count, ...total },
      skills: { totalSkills: count, includedSkills: count, ...total, skillFrontmatter: skills },
    }),
    autoCompactThreshold: threshold,
    isAutoCompactEnabled: true,
    apiUsage: null,
  };
}
