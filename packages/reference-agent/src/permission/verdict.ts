import { dirname, join } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { type Behavior, coversCommand, namesTool, type Rule, type RuleSource } from "./rule.ts";
import { getAnchor, coversPath } from "../files/paths.ts";
import type { PermissionState } from "./state.ts";

/** Why something was decided, in the words of `tool_result_meta` and `can_use_tool`. */
export type ReasonType =
  | "rule"
  | "mode"
  | "subcommandResults"
  | "hook"
  | "workingDir"
  | "safetyCheck"
  | "other";

/** What a tool says about a call of its own, or what is decided in the end. */
export type Verdict =
  | {
      readonly behavior: "allow";
      readonly reason?: ReasonType;
      /** Where the rule is from that decides. */
      readonly source?: RuleSource;
    }
  | {
      readonly behavior: "deny";
      readonly message: string;
      readonly said?: string;
      readonly reason: ReasonType;
      /** What would have been asked, if anybody were. */
      readonly instead?: Extract<Verdict, { behavior: "ask" }>;
      readonly source?: RuleSource;
    }
  | {
      readonly behavior: "ask";
      readonly reason?: ReasonType;
      readonly said?: string;
      /** Absent: none are named at all. */
      readonly suggestions?: readonly JsonObject[];
      /** Those of hooks where no host is asked, if they are others. */
      readonly hookSuggestions?: readonly JsonObject[];
      readonly blockedPath?: string;
      /** What is said where nobody can be asked, if there is something better to say than that. */
      readonly unasked?: string;
      /** Further fields of `can_use_tool`. */
      readonly fields?: JsonObject;
      /** No rule and no hook lets this through; nor, if it says so, the mode that skips asking. */
      readonly firm?: true | "unless bypassed";
    }
  /** No opinion: whoever asks decides. */
  | {
      readonly behavior: "pass";
      readonly suggestions?: readonly JsonObject[];
      readonly fields?: JsonObject;
    };

export function ruleForTool(
  state: PermissionState,
  behavior: Behavior,
  tool: string,
): Rule | undefined {
  return state.rules[behavior].find(
    (rule) =>
      rule.content === undefined &&
      namesTool(rule, tool) &&
      (behavior !== "allow" || !isTooBroad(rule)),
  );
}

/** `*`, `mcp__*`, `mcp__a*__read`: who allows tools names them, or their server. */
function isTooBroad({ tool }: Rule): boolean {
  if (tool === "*") return true;
  return tool.startsWith("mcp__") && tool.includes("*") && !/^mcp__[^*]+?__/.test(tool);
}

export function ruleForCommand(
  state: PermissionState,
  behavior: Behavior,
  command: string,
): Rule | undefined {
  return state.rules[behavior].find(
    ({ tool, content }) =>
      tool === "Bash" && content !== undefined && coversCommand(content, command),
  );
}

/** `Edit` rules are about every tool that writes, `Read` rules about every tool that reads. What names
 * files by another tool that writes counts where it denies. */
export function ruleForPath(
  state: PermissionState,
  behavior: Behavior,
  kind: "Read" | "Edit",
  path: string,
  { byName = false, asFolder = false }: { byName?: boolean; asFolder?: boolean } = {},
): Rule | undefined {
  const place = { folder: state.folder, home: state.home };
  const others = kind === "Edit" && behavior === "deny" ? ["Write", "NotebookEdit"] : [];
  const names = new Set<string>([kind, ...others]);
  const how = { ignoresCase: true, allows: behavior === "allow", byName };
  const covers = (pattern: string, root: string, ...paths: string[]) =>
    paths.some((one) => coversPath(pattern, one, { ...place, root }, how));
  const paths = asFolder ? [path, join(path, "*")] : [path];
  let found: (Rule & { content: string })[] = [];
  for (const rule of state.rules[behavior]) {
    const { tool, content, root } = rule;
    if (!names.has(tool) || content === undefined) continue;
    if (!content.startsWith("!")) {
      if (covers(content, root, ...paths)) found.push({ ...rule, content });
    } else if (covers(content.slice(1), state.folder, path)) {
      // As in .gitignore, of what begins in the same folder, and not in one that is covered itself.
      found = found.filter(
        (one) =>
          getAnchor(one.content, { ...place, root: one.root }) !== state.folder ||
          covers(one.content, one.root, dirname(path)),
      );
    }
  }
  return found[0];
}

/** A rule that denies a path, or everything in the folder that it is. */
export function deniedPath(
  state: PermissionState,
  kind: "Read" | "Edit",
  path: string,
  byName = false,
): Rule | undefined {
  return ruleForPath(state, "deny", kind, path, { byName, asFolder: true });
}

export const allowedByRule = ({ source }: Rule) =>
  ({ behavior: "allow", reason: "rule", source }) as const;
export const deniedByRule = ({ source }: Rule, message: string) =>
  ({ behavior: "deny", message, reason: "rule", source }) as const;

/** A rule wants this to be asked about. */
export const askedByRule = ({ source }: Rule): Extract<Verdict, { behavior: "ask" }> => ({
  behavior: "ask",
  reason: "rule",
  fields: { decision_reason_rule_source: source },
});

/** A rule wants this to be asked about, and it would have been asked about without it. */
export function askedAnyway(
  { source, tool: tool_name }: Rule,
  asked: Extract<Verdict, { behavior: "ask" }>,
): Extract<Verdict, { behavior: "ask" }> {
  const { suggestions: _, hookSuggestions: __, fields = {}, ...said } = asked;
  return { ...said, fields: { ...fields, matched_ask_rule: { source, tool_name } } };
}

/** Fields of what no rule may allow for good. */
export const neverAllowed: JsonObject = {
  classifier_approvable: false,
  suppress_always_allow_rule: true,
};

/** Neither a rule nor a hook lets this through before the plan is approved: only a person can. */
export function asksWhilePlanning(
  what: string,
  fields: JsonObject = {},
): Extract<Verdict, { behavior: "ask" }> {
  const unasked = `Cannot ${what} while in plan mode.`;
  return { behavior: "ask", reason: "mode", unasked, fields, firm: true };
}

export const addRule = (
  tool: string,
  content: string | undefined,
  destination: string,
): JsonObject => ({
  type: "addRules",
  rules: [content === undefined ? { toolName: tool } : { toolName: tool, ruleContent: content }],
  behavior: "allow",
  destination,
});
export const addFolders = (folders: readonly string[]): JsonObject => ({
  type: "addDirectories",
  directories: [...folders],
  destination: "session",
});
export const acceptEdits: JsonObject = {
  type: "setMode",
  mode: "acceptEdits",
  destination: "session",
};
