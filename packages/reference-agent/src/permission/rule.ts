import { nameNow } from "../tool-names.ts";

export type Behavior = "allow" | "deny" | "ask";
/** Where a rule came from; what is changed for a source of a file is written there. */
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
  /** What stands in brackets: `npm run *`, `//etc/**`, `domain:example.com`. */
  readonly content?: string;
  readonly source: RuleSource;
  /** The folder that a leading `/` of a path means. */
  readonly root: string;
}

/** `Tool` or `Tool(content)`; `Tool(*)` and `Tool()` mean the whole tool. */
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

/** Whether a rule without brackets is about a tool; one for an MCP server is about all of its tools. */
export function namesTool(rule: Rule, tool: string): boolean {
  if (rule.tool === tool || rule.tool === "*") return true;
  if (!tool.startsWith("mcp__")) return false;
  if (rule.tool.startsWith("mcp__") && rule.tool.includes("*")) return fits(rule.tool, tool);
  return rule.tool === /^mcp__(?:(?!__).)+/.exec(tool)?.[0];
}

/** `*` stands for any signs. */
function fits(pattern: string, text: string, flags = ""): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, flags).test(text);
}

/** `--allowed-tools "Bash(git log:*) Edit"`: split at commas and spaces outside of brackets. */
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

/** Whether a rule's words cover a command: the same, `git *`, or the older `git:*`. */
export function coversCommand(content: string, command: string): boolean {
  const prefix = /^(.*):\*$/s.exec(content)?.[1];
  if (prefix !== undefined) return command === prefix || command.startsWith(`${prefix} `);
  if (!content.includes("*")) return content === command;
  const open = /^(.*) \*$/s.exec(content)?.[1]; // `git *` covers a bare `git` too
  if (open === command) return true;
  return fits(content, command, "s");
}
