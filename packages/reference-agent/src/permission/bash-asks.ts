import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { isWrapped } from "./commands.ts";
import { isAllowed } from "../files/paths.ts";
import { sensitiveText } from "./sensitive.ts";
import type { ShellLine, SimpleCommand } from "./shell-words.ts";
import type { PermissionSettings } from "./state.ts";
import { changeNeedsApproval, lookingBlocked, severalNeedApproval } from "./unasked.ts";
import { BACKGROUND, MOVED_REDIRECT, MOVED_UNASKED, MOVED_WRITE } from "./unchecked.ts";
import { acceptEdits, addFolders, addRule, neverAllowed, type Verdict } from "./verdict.ts";

/** The message for a command that is not known. */
export const NEEDS_APPROVAL = "This command requires approval";

export type Judged = {
  readonly command: SimpleCommand;
  readonly verdict: { readonly kind: "fine" } | { readonly kind: "unknown" } | AboutPath;
};

export interface AboutPath {
  readonly kind: "path";
  readonly path: string;
  readonly how: "read" | "write" | "redirect" | "leave";
  /** The name of the command; empty for a redirection of the shell. */
  readonly by: string;
  /** The target depends on a `cd` in the same line. */
  readonly isMoved?: boolean;
  readonly isSensitive?: boolean;
  /** Why it is dangerous that a link leads there. */
  readonly link?: string;
  /** The text as it was written, and why the file cannot be determined. */
  readonly vague?: { readonly text: string; readonly reasonText: string };
  /** The command would require a question without its redirection, too. */
  readonly isOpenBesides?: boolean;
}

type Ask = Extract<Verdict, { behavior: "ask" }>;
type Open = {
  readonly command: SimpleCommand;
  readonly verdict: Exclude<Judged["verdict"], { kind: "fine" }>;
};

/** Combines the judgements of a line's commands into one decision or question. */
export function mergeJudgements(
  state: PermissionSettings,
  judged: readonly Judged[],
  taken: ShellLine,
  line: string,
): Verdict {
  const { commands, background, pipes } = taken;
  const open = judged.filter((one): one is Open => one.verdict.kind !== "fine");
  // The shell's own variables are only known after it has run, and a loop may set one of them.
  const isBlind = taken.loops && !state.knowsShell;
  const parts = open.map(({ command }) => command.text);
  const several: Ask = {
    behavior: "ask",
    reason: "subcommandResults",
    ...(parts.length > 0 && { unasked: severalNeedApproval(parts) }),
    ...(isBlind && pipes && { suggestions: [] }),
  };
  if (taken.pipesInside || (isBlind && commands.length > 1)) return several;
  const [first] = open;
  if (!first && background && !isBlind) {
    const fields = neverAllowed;
    const reason = pipes ? "subcommandResults" : "safetyCheck";
    return { behavior: "ask", reason, reasonText: BACKGROUND, fields, firm: "unless bypassed" };
  }
  if (!first && !isBlind) return { behavior: "allow", reason: "subcommandResults" };
  const asked = first && (askForDanger(state, open, pipes) ?? askForPath(state, open, taken, line));
  if (asked) {
    const isRead = first.verdict.kind === "path" && first.verdict.how === "read";
    return (isBlind || background) && isRead ? withoutSuggestions(asked) : asked;
  }
  const isSecret = isBlind || background; // No rule could cover it.
  if (commands.length > 1)
    return isSecret ? several : { ...several, ...suggestForList(state, open, taken, line) };
  const rule = suggestedRule(first?.command.plain ?? line);
  return {
    behavior: "ask",
    reason: "other",
    reasonText: NEEDS_APPROVAL,
    ...(!isSecret && { suggestions: [addRule("Bash", rule, "localSettings")] }),
  };
}

/**
 * Asks about what no rule for a command covers: sensitive files, and output whose target depends on
 * a `cd`.
 */
function askForDanger(
  state: PermissionSettings,
  open: readonly Open[],
  pipes: boolean,
): Ask | undefined {
  const paths = open.flatMap(({ verdict }) => (verdict.kind === "path" ? [verdict] : []));
  if (paths.some(({ how, isMoved }) => how === "redirect" && isMoved)) {
    return { behavior: "ask", reason: "other", reasonText: MOVED_REDIRECT };
  }
  const found = paths.find(({ isMoved, isSensitive }) => isSensitive && !isMoved);
  if (!found) return askForLink(state, paths, pipes);
  const isAlone = open.length === 1;
  const isNamed = isAlone && (!pipes || found.how === "redirect");
  return {
    ...asksAboutSteering(found.path),
    reason: isNamed ? "safetyCheck" : "subcommandResults",
    suggestions: isAlone || pipes ? ownSuggestions(state, found) : [],
    ...(isNamed && { blockedPath: found.path }),
  };
}

/** Asks about output that a link leads outside of the allowed folders. */
function askForLink(
  state: PermissionSettings,
  paths: readonly AboutPath[],
  pipes: boolean,
): Ask | undefined {
  const writes = paths.filter(({ how, isMoved }) => !isMoved && how !== "read" && how !== "leave");
  const found = writes.find(({ link }) => link !== undefined);
  if (found?.link === undefined) return undefined;
  const isNamed = !pipes || found.how === "redirect";
  return {
    behavior: "ask",
    reason: isNamed ? "safetyCheck" : "subcommandResults",
    reasonText: found.link,
    suggestions: ownSuggestions(state, found),
    ...(isNamed && { blockedPath: found.path }),
    fields: neverAllowed,
    firm: "unless bypassed",
  };
}

/** Asks about a file that could cause other programs to run something. */
export function asksAboutSteering(path: string): Ask {
  return {
    behavior: "ask",
    reason: "safetyCheck",
    reasonText: sensitiveText(path),
    fields: { classifier_approvable: true },
    firm: "unless bypassed",
  };
}

/** Asks about a single path, if that is the only reason to ask. */
function askForPath(
  state: PermissionSettings,
  [first, ...others]: readonly Open[],
  { pipes }: ShellLine,
  line: string,
): Ask | undefined {
  if (first?.verdict.kind !== "path" || others.length > 0) return undefined;
  const { verdict } = first;
  if (pipes && verdict.how === "redirect" && verdict.isOpenBesides) return undefined;
  const own = ownSuggestions(state, verdict);
  const rule = addRule("Bash", suggestedRule(line), "localSettings");
  if (verdict.isMoved) {
    const suggestions = state.mode === "acceptEdits" ? [] : [rule, acceptEdits];
    const unasked = MOVED_UNASKED;
    return { behavior: "ask", reason: "other", reasonText: MOVED_WRITE, unasked, suggestions };
  }
  const asked: Ask = {
    behavior: "ask",
    suggestions: [rule, ...own],
    hookSuggestions: own,
    unasked: pipes ? severalNeedApproval([first.command.text]) : explainUnasked(state, verdict),
  };
  if (!pipes && verdict.vague) {
    const { text, reasonText } = verdict.vague;
    const { suggestions: _, hookSuggestions: __, ...bare } = asked;
    const about = verdict.how === "read" ? bare : asked; // No rule would allow it.
    return { ...about, reason: "other", reasonText, blockedPath: text };
  }
  // In a pipe, only the target of the output is named.
  if (!pipes || verdict.how === "redirect") return { ...asked, blockedPath: verdict.path };
  return { ...asked, reason: "subcommandResults" };
}

function explainUnasked(state: PermissionSettings, { how, by, path }: AboutPath): string {
  const { folders } = state;
  return how === "read" || how === "leave"
    ? lookingBlocked(by, path, folders)
    : changeNeedsApproval(by, path, { folders, isInside: isAllowed(path, folders) });
}

/** Suggests what would allow a path next time, without a rule for the line. */
function ownSuggestions(state: PermissionSettings, { how, path }: AboutPath): JsonObject[] {
  if (how === "read" || how === "leave")
    return [addRule("Read", readPattern(how, path), "session")];
  const accept = how === "redirect" || state.mode === "acceptEdits" ? [] : [acceptEdits];
  return [addFolders([getFolder(path)]), ...accept];
}

/** Returns the folder of a path: the path itself if it is a folder or is written as one. */
function getFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
}

function readPattern(how: string, path: string): string {
  const folder = how === "leave" ? path : getFolder(path);
  return `/${folder === "/" ? "" : folder}/**`;
}

/**
 * Collects rules for the commands of a list, or for each part of a pipe whatever would allow it.
 */
function suggestForList(
  state: PermissionSettings,
  open: readonly Open[],
  { pipes }: ShellLine,
  line: string,
): Pick<Ask, "suggestions" | "hookSuggestions"> {
  const known = new Set<string>();
  const own: JsonObject[] = [];
  for (const pipe of new Set(open.map(({ command }) => (pipes ? command.pipe : 0)))) {
    const member = pipes ? open.filter(({ command }) => command.pipe === pipe) : open;
    const text = member.map(({ command }) => command.text).join("\n");
    if (known.has(text)) continue; // The same text is asked about once.
    known.add(text);
    const found = suggestForMember(state, member, pipes);
    if (!found) return {};
    own.push(...found);
  }
  const hasRule = own.some(({ rules }) => JSON.stringify(rules)?.includes('"toolName":"Bash"'));
  if (hasRule || !pipes) return { suggestions: own };
  const rule = addRule("Bash", suggestedRule(line), "localSettings");
  return { suggestions: [rule, ...own], hookSuggestions: own };
}

function suggestForMember(
  state: PermissionSettings,
  open: readonly Open[],
  isPiped: boolean,
): JsonObject[] | undefined {
  const [first] = open;
  const isAlone = isPiped && open.length === 1;
  if (isAlone && first?.verdict.kind === "path") {
    const { how, isMoved } = first.verdict;
    return how === "redirect" || isMoved ? undefined : ownSuggestions(state, first.verdict);
  }
  return combineRules(open.map((one) => ruleFor(state, one)));
}

const MAX_RULES = 5;

/**
 * Combines all rules into one update without duplicates; undefined if a command has no rule or
 * there are too many.
 */
function combineRules(rules: readonly (JsonObject | undefined)[]): JsonObject[] | undefined {
  const texts = [...new Set(rules.map((rule) => rule && JSON.stringify(rule)))];
  if (texts.includes(undefined) || texts.length > MAX_RULES) return undefined;
  const all = texts.map((text) => JSON.parse(text ?? "{}") as JsonObject);
  return [{ type: "addRules", rules: all, behavior: "allow", destination: "localSettings" }];
}

function ruleFor(state: PermissionSettings, { command, verdict }: Open): JsonObject | undefined {
  const forCommand = { toolName: "Bash", ruleContent: suggestedRule(command.plain) };
  if (verdict.kind === "unknown") return forCommand;
  const { how, path, isMoved } = verdict;
  if (how === "redirect" || isMoved) return undefined;
  if (how === "write") return isAllowed(path, state.folders) ? forCommand : undefined;
  return { toolName: "Read", ruleContent: readPattern(how, path) };
}

function withoutSuggestions(asked: Ask): Ask {
  const { suggestions: _, ...rest } = asked;
  return rest;
}

/**
 * Suggests a rule for a command: `npm install *` for `npm install left-pad`, and the unchanged text
 * for `python3 -c 1`.
 */
function suggestedRule(text: string): string {
  const words = text.split(/\s+/);
  const [name = "", sub = ""] = words;
  const isPlain = /^(?:[a-z][\w.-]*|!)$/i.test(name) && /^[a-z][a-z0-9-]*$/.test(sub);
  return isPlain && !isWrapped(words) ? `${name} ${sub} *` : text;
}
