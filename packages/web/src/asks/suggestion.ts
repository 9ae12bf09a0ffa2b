import { strings } from "../strings/strings.ts";
import { lookup } from "../text/lookup.ts";

const words = strings.suggestions;

/** Describes one of the agent's suggested rules: what it would allow, and its scope. */
export function describeSuggestion(suggestion: unknown): { what: string; reach: string } {
  const it = (typeof suggestion === "object" && suggestion !== null ? suggestion : {}) as Record<
    string,
    unknown
  >;
  return { what: describeRuleChange(it, suggestion), reach: describeScope(it["destination"]) };
}

function describeRuleChange(it: Record<string, unknown>, whole: unknown): string {
  switch (it["type"]) {
    case "addRules":
    case "replaceRules": {
      const rules = list(it["rules"]).map(ruleText).join(", ");
      const change =
        it["behavior"] === "deny"
          ? words.deny(rules)
          : it["behavior"] === "ask"
            ? words.ask(rules)
            : words.allow(rules);
      return it["type"] === "addRules" ? change : words.replacing(change);
    }
    case "removeRules":
      return words.removeRules(list(it["rules"]).map(ruleText).join(", "));
    case "setMode":
      return describeMode(String(it["mode"]));
    case "addDirectories":
      return words.addFolders(list(it["directories"]).map(String).join(", "));
    case "removeDirectories":
      return words.removeFolders(list(it["directories"]).map(String).join(", "));
    default:
      return JSON.stringify(whole);
  }
}

/** Whether a suggestion would turn off all requests. The hub accepts that only as a policy. */
export function disablesAsking(suggestion: unknown): boolean {
  const { type, mode } = (suggestion ?? {}) as { type?: unknown; mode?: unknown };
  return type === "setMode" && !["default", "acceptEdits", "plan"].includes(String(mode));
}

function describeMode(mode: string): string {
  return lookup(words.modes, mode) ?? words.otherMode(mode);
}

function ruleText(rule: unknown): string {
  const { toolName, ruleContent } = (rule ?? {}) as { toolName?: unknown; ruleContent?: unknown };
  return ruleContent === undefined
    ? words.everyCall(text(toolName))
    : `${text(toolName)}(${text(ruleContent)})`;
}

function describeScope(destination: unknown): string {
  if (destination === undefined) return "";
  const name = text(destination);
  return lookup(words.scopes, name) ?? words.otherScope(name);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
