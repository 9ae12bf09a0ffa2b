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
      const verb =
        it["behavior"] === "deny"
          ? "Always deny"
          : it["behavior"] === "ask"
            ? "Always ask for"
            : "Always allow";
      return it["type"] === "addRules"
        ? `${verb} ${rules}`
        : `${verb} ${rules}, in place of the rules so far`;
    }
    case "removeRules":
      return `Take away the rules ${list(it["rules"]).map(ruleText).join(", ")}`;
    case "setMode":
      return describeMode(String(it["mode"]));
    case "addDirectories":
      return `Let it work in ${list(it["directories"]).map(String).join(", ")}, too`;
    case "removeDirectories":
      return `No longer let it work in ${list(it["directories"]).map(String).join(", ")}`;
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
  const words: Readonly<Record<string, string>> = {
    acceptEdits: "Change files without asking (mode acceptEdits)",
    plan: "Only plan, change nothing (mode plan)",
    default: "Ask as usual (mode default)",
    bypassPermissions: "Ask for nothing at all (mode bypassPermissions)",
    dontAsk: "Ask for nothing; what is not allowed is refused (mode dontAsk)",
  };
  return words[mode] ?? `Switch to the mode ${mode}`;
}

function ruleText(rule: unknown): string {
  const { toolName, ruleContent } = (rule ?? {}) as { toolName?: unknown; ruleContent?: unknown };
  return ruleContent === undefined
    ? `every ${text(toolName)}`
    : `${text(toolName)}(${text(ruleContent)})`;
}

function describeScope(destination: unknown): string {
  switch (destination) {
    case "session":
      return "for this session";
    case "localSettings":
      return "in this project, for you, from now on";
    case "projectSettings":
      return "in this project, for everyone who uses it, from now on";
    case "userSettings":
      return "in all your projects, from now on";
    case "cliArg":
      return "for this run";
    default:
      return destination === undefined ? "" : `kept in ${text(destination)}`;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
