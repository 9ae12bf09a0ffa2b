import type { Tool } from "./tool.ts";

/** Former names of tools, which models, rules and hooks may still use. */
const formerly: Readonly<Record<string, readonly string[]>> = {
  Agent: ["Task"],
  TaskStop: ["KillShell", "KillBash"],
};

export function getNames(tool: string): readonly string[] {
  return Object.hasOwn(formerly, tool) ? [tool, ...(formerly[tool] ?? [])] : [tool];
}

export function nameNow(name: string): string {
  return Object.keys(formerly).find((tool) => formerly[tool]?.includes(name)) ?? name;
}

export function toolNamed(tools: readonly Tool[], name: unknown): Tool | undefined {
  const now = typeof name === "string" ? nameNow(name) : name;
  return tools.find((one) => one.name === now);
}
