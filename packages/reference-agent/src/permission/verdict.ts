import { dirname, join } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { type Behavior, coversCommand, namesTool, type Rule, type RuleSource } from "./rule.ts";
import { getAnchor, coversPath } from "../files/paths.ts";
import type { PermissionSettings } from "./state.ts";

/** The reason for a decision, in the words of `tool_result_meta` and `can_use_tool`. */
export type ReasonType =
  | "rule"
  | "mode"
  | "subcommandResults"
  | "hook"
  | "workingDir"
  | "safetyCheck"
  | "other";

/** A tool's judgement of its own call, or the final decision. */
export type Verdict =
  | {
      readonly behavior: "allow";
      readonly reason?: ReasonType;
      /** The source of the deciding rule. */
      readonly source?: RuleSource;
    }
  | {
      readonly behavior: "deny";
      readonly message: string;
      readonly reasonText?: string;
      readonly reason: ReasonType;
      /** What would have been asked if that were possible. */
      readonly instead?: Extract<Verdict, { behavior: "ask" }>;
      readonly source?: RuleSource;
    }
  | {
      readonly behavior: "ask";
      readonly reason?: ReasonType;
      readonly reasonText?: string;
      /** Undefined if the field is omitted. */
      readonly suggestions?: readonly JsonObject[];
      /** The suggestions for hooks if no host is asked, if they differ. */
      readonly hookSuggestions?: readonly JsonObject[];
      readonly blockedPath?: string;
      /** A more precise message for when nobody can be asked. */
      readonly unasked?: string;
      /** Further fields of `can_use_tool`. */
      readonly fields?: JsonObject;
      /**
       * No rule and no hook allows this, and neither does the mode that skips questions unless the
       * value says so.
       */
      readonly firm?: true | "unless bypassed";
    }
  /** No opinion: the caller decides. */
  | {
      readonly behavior: "pass";
      readonly suggestions?: readonly JsonObject[];
      readonly fields?: JsonObject;
    };

export function ruleForTool(
  state: PermissionSettings,
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

/**
 * Whether a rule that allows `*`, `mcp__*` or `mcp__a*__read` is too broad: rules that allow must
 * name a tool or its server.
 */
function isTooBroad({ tool }: Rule): boolean {
  if (tool === "*") return true;
  return tool.startsWith("mcp__") && tool.includes("*") && !/^mcp__[^*]+?__/.test(tool);
}

export function ruleForCommand(
  state: PermissionSettings,
  behavior: Behavior,
  command: string,
): Rule | undefined {
  return state.rules[behavior].find(
    ({ tool, content }) =>
      tool === "Bash" && content !== undefined && coversCommand(content, command),
  );
}

/**
 * Finds the rule for a path. `Edit` rules cover every tool that writes, and `Read` rules every tool
 * that reads. A rule that names another writing tool with files only counts if it denies.
 */
export function ruleForPath(
  state: PermissionSettings,
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
      // As in .gitignore, a later rule of the same folder overrides earlier ones, unless their
      // folder is covered itself.
      found = found.filter(
        (one) =>
          getAnchor(one.content, { ...place, root: one.root }) !== state.folder ||
          covers(one.content, one.root, dirname(path)),
      );
    }
  }
  return found[0];
}

/** Finds the rule that denies a path, or everything in a folder. */
export function deniedPath(
  state: PermissionSettings,
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

/** Creates the verdict for a rule that requires a question. */
export const askedByRule = ({ source }: Rule): Extract<Verdict, { behavior: "ask" }> => ({
  behavior: "ask",
  reason: "rule",
  fields: { decision_reason_rule_source: source },
});

/** Creates the verdict for a rule that requires a question that would be asked without it, too. */
export function createExtraAsk(
  { source, tool: tool_name }: Rule,
  asked: Extract<Verdict, { behavior: "ask" }>,
): Extract<Verdict, { behavior: "ask" }> {
  const { suggestions: _, hookSuggestions: __, fields = {}, ...verdictFields } = asked;
  return { ...verdictFields, fields: { ...fields, matched_ask_rule: { source, tool_name } } };
}

/** The fields for a request that no rule may allow permanently. */
export const neverAllowed: JsonObject = {
  classifier_approvable: false,
  suppress_always_allow_rule: true,
};

/** Whether only a person can allow this before the plan is approved, and no rule or hook can. */
export function needsPersonWhilePlanning(
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
