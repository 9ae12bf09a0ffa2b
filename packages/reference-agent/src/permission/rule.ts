import { nameNow } from "../tool-names.ts";

export type Behavior = "allow" | "deny" | "ask";
/** The source of a rule. Changes for a source that is a file are written to that file. */
export type RuleSource =
  | "userSettings"
  | "projectSettings"
  | "localSettings"
  | "flagSettings"
  | "policySettings"
  | "cliArg"
  | "session";

export interface Rule {
  readonly tool: string;
  /** The text in parentheses: `npm run *`, `//etc/**`, `domain:example.com`. */
  readonly content?: string;
  readonly source: RuleSource;
  /** The folder to which a leading `/` of a path refers. */
  readonly root: string;
}

/** Parses `Tool` or `Tool(content)`. `Tool(*)` and `Tool()` mean the whole tool. */
export function readRule(text: string, source: RuleSource, root: string): Rule {
  const found = /^([^(]+)\(([^]*)\)$/.exec(text.trim());
  const tool = found?.[1]?.trim() ?? text.trim();
  const content = found?.[2]?.trim();
  const whole = content === undefined || content === "" || content === "*";
  return { tool: nameNow(tool), source, root, ...(whole ? {} : { content }) };
}

export function ruleText({ tool, content }: { tool: string; content?: string }): string {
  return content === undefined ? tool : `${tool}(${content})`;
}

/**
 * Whether a rule without parentheses covers a tool. A rule for an MCP server covers all of its
 * tools.
 */
export function namesTool(rule: Rule, tool: string): boolean {
  if (rule.tool === tool || rule.tool === "*") return true;
  if (!tool.startsWith("mcp__")) return false;
  if (rule.tool.startsWith("mcp__") && rule.tool.includes("*")) return fits(rule.tool, tool);
  return rule.tool === /^mcp__(?:(?!__).)+/.exec(tool)?.[0];
}

/** Whether a text matches a pattern in which `*` stands for any characters. */
function fits(pattern: string, text: string, flags = ""): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, flags).test(text);
}

/**
 * Splits rules at commas and spaces outside of parentheses: `--allowed-tools "Bash(git log:*)
 * Edit"`.
 */
export function splitRules(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const parts: string[] = [];
    let depth = 0;
    let part = "";
    for (const char of text) {
      if (char === "(") depth++;
      if (char === ")") depth--;
      if (depth === 0 && (char === "," || char === " ")) {
        parts.push(part);
        part = "";
      } else part += char;
    }
    return [...parts, part].map((one) => one.trim()).filter((one) => one !== "");
  });
}

/** Whether a rule's content covers a command: the same text, `git *`, or the older `git:*`. */
export function coversCommand(content: string, command: string): boolean {
  const prefix = /^(.*):\*$/s.exec(content)?.[1];
  if (prefix !== undefined) return command === prefix || command.startsWith(`${prefix} `);
  if (!content.includes("*")) return content === command;
  const open = /^(.*) \*$/s.exec(content)?.[1]; // `git *` also covers `git` alone.
  if (open === command) return true;
  return fits(content, command, "s");
}
