import type { JsonObject } from "@signalbox/protocol/wire";
import type { ContextUsage } from "./context-usage.ts";

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const figure = (tokens: number): string => short.format(tokens).toLowerCase();
/** Marks a number as an estimate, because the exact size of skills is unknown. */
const about = (tokens: number): string =>
  tokens < 20 ? "< 20" : `~${figure(Math.round(tokens / 10) * 10)}`;

const sources: Readonly<Record<string, string>> = {
  userSettings: "User",
  projectSettings: "Project",
  flagSettings: "Flag",
};

/** Renders the output of `/context`. */
export function contextText(usage: ContextUsage): string {
  const { categories, totalTokens, maxTokens, model, percentage } = usage;
  const share = (tokens: number) => `${((tokens / maxTokens) * 100).toFixed(1)}%`;
  const [buffer, free] = ["buffer", "free"].map((kind) =>
    categories.filter((one) => one.kind === kind),
  );
  const shown = [...categories.filter(({ kind }) => kind === "used"), ...free!, ...buffer!];
  return [
    `## Context Usage\n\n**Model:** ${model}  \n**Tokens:** ${figure(totalTokens)} / ${figure(maxTokens)} (${percentage}%)`,
    table(
      "Estimated usage by category",
      "Category Tokens Percentage",
      shown.map(({ name, tokens }) => [name, figure(tokens), share(tokens)]),
    ),
    table(
      "MCP Tools",
      "Tool Server Tokens",
      usage.mcpTools.map(({ name, server, tokens }) => [name, server, figure(tokens)]),
    ),
    table(
      "Custom Agents",
      "Agent_Type Source Tokens",
      usage.agents.map(({ type, source, tokens }) => [
        type,
        sources[source] ?? source,
        figure(tokens),
      ]),
    ),
    table(
      "Memory Files",
      "Type Path Tokens",
      usage.memoryFiles.map(({ type, path, tokens }) => [type, path, figure(tokens)]),
    ),
    table(
      "Skills",
      "Skill Source Tokens",
      (usage.skills ?? []).map(({ name, source, tokens }) => [
        name,
        sources[source] ?? source,
        about(tokens),
      ]),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function table(title: string, heads: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const names = heads.split(" ").map((head) => head.replace("_", " "));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = `|${names.map((name) => "-".repeat(name.length + 2)).join("|")}|`;
  return [`### ${title}`, "", line(names), rule, ...rows.map(line)].join("\n");
}

/** Returns the same data for programs. */
export function contextFacts(usage: ContextUsage): JsonObject {
  return {
    model: usage.model,
    total_tokens: usage.totalTokens,
    raw_max_tokens: usage.maxTokens,
    percentage: usage.percentage,
    categories: usage.categories.map(({ name, tokens, kind }) => ({ name, tokens, kind })),
    mcp_tools: usage.mcpTools.map(({ name, server, tokens }) => ({
      name,
      server_name: server,
      tokens,
    })),
    memory_files: usage.memoryFiles.map(({ path, type, tokens }) => ({ path, type, tokens })),
    agents: usage.agents.map(({ type, source, tokens }) => ({ agent_type: type, source, tokens })),
    ...(usage.skills && { skills: [...usage.skills] }),
  };
}
