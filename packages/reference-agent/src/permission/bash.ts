import { dirname, join, resolve } from "node:path";
import { type AboutPath, asksAboutSteering, mergeJudgements, type Judged } from "./bash-asks.ts";
import { getEffect, findActs, innerName, isMoreThanEdit } from "./commands.ts";
import { deniedFile, deniedLine, namesOnlyWhole, deniesAnyFile } from "./denied.ts";
import { everyCommand } from "./every-command.ts";
import { findLinkTargetOutside } from "./files.ts";
import { absolute, isAllowed, isInside } from "../files/paths.ts";
import { judgeRemovals } from "./removals.ts";
import type { Rule } from "./rule.ts";
import { isSensitive } from "./sensitive.ts";
import { readShell, type ShellLine, type SimpleCommand } from "./shell-words.ts";
import type { PermissionSettings } from "./state.ts";
import * as why from "./unchecked.ts";
import {
  allowedByRule,
  askedByRule,
  ruleForCommand,
  ruleForPath,
  type Verdict,
} from "./verdict.ts";
import { unwrapCommand } from "./wrapped.ts";

/** Whether a line only reads. Such commands may run in parallel. */
export function isReadOnlyLine(line: string): boolean {
  const { commands, unchecked, doubted, background } = readShell(line);
  return (
    unchecked === undefined &&
    doubted === undefined &&
    !background &&
    commands.every(
      ({ words, writes }) =>
        writes.length === 0 && ["looks", "moves"].includes(getEffect(words).kind),
    )
  );
}

/** Judges a Bash line by the rules, the mode and the commands in it. */
export function judgeCommand(state: PermissionSettings, line: string, folder: string): Verdict {
  const shell = readShell(line);
  const { commands } = shell;
  const whole = line.trim();
  const every = everyCommand(line);
  // Every command that the line may run counts, in any disguise.
  const inClothes = every.commands.map(({ words }) => words.join(" "));
  const texts = [whole, ...commands.map(({ text }) => text), ...inClothes];
  const ruleFor = (behavior: "deny" | "ask") =>
    texts.map((text) => ruleForCommand(state, behavior, text)).find((rule) => rule);
  const denied = ruleFor("deny") ? deniedLine(line) : deniedFile(state, line, every, folder);
  if (denied !== undefined) {
    const isTakenApart =
      denied === deniedLine(line) && !isOpaque(shell) && !namesOnlyWhole(state, whole, every);
    const reason = isTakenApart ? "subcommandResults" : "rule";
    return { behavior: "deny", message: denied, reason };
  }
  const asks = ruleFor("ask");
  if (asks) return { ...createLineAsk(asks, shell), firm: true };
  const dangerous = judgeRemovals(state, every, folder);
  if (dangerous) return dangerous;
  if (every.doubt && deniesAnyFile(state)) {
    return {
      behavior: "ask",
      reason: "other",
      reasonText: why.SOMETHING,
      suggestions: [],
      firm: true,
    };
  }
  const [only, ...others] = commands;
  const inner = only && others.length === 0 ? unwrapCommand(only.words)?.join(" ") : undefined;
  const commandVariants = inner === undefined ? [whole] : [whole, inner];
  const names = new Set(commandVariants.flatMap((one) => [one, `${one}:*`]));
  const wordForWord = state.rules.allow.find(
    ({ tool, content = "" }) => tool === "Bash" && names.has(content),
  );
  const goesHome =
    shell.namesHome &&
    judgeAll(state, commands, folder).some(({ verdict }) => verdict.kind === "path");
  if (wordForWord && !goesHome && !writesOutside(state, commands, folder)) {
    return allowedByRule(wordForWord);
  }
  const unchecked =
    shell.unchecked ?? (shell.assigns && !state.knowsShell ? why.SET_VARIABLE : undefined);
  if (unchecked !== undefined) {
    return { behavior: "ask", reason: "other", reasonText: unchecked, suggestions: [] };
  }
  if (shell.doubted === why.EXPANDED) {
    const writes = commands.flatMap((one) => one.writes.map((path) => place(state, path, folder)));
    const path = writes.find(isSensitive);
    if (path !== undefined) return asksAboutSteering(path);
  }
  if (shell.doubted !== undefined) {
    return { behavior: "ask", reason: "other", reasonText: shell.doubted };
  }
  const doubt = findDoubt(state, shell, every.commands, folder);
  return doubt ?? mergeJudgements(state, judgeAll(state, commands, folder), shell, whole);
}

/** Finds a reason to ask that no rule for the line's commands covers, whatever paths it names. */
function findDoubt(
  state: PermissionSettings,
  { commands }: ShellLine,
  every: readonly { readonly words: readonly string[] }[],
  folder: string,
): Verdict | undefined {
  const acts = commands.flatMap(({ words }) => findActs(words) ?? []);
  if (acts[0] !== undefined) {
    return { behavior: "ask", reason: "other", reasonText: why.whyFind(acts[0]), suggestions: [] };
  }
  if (commands.filter(({ words }) => words[0] === "cd").length > 1) {
    return { behavior: "ask", reason: "other", reasonText: why.MOVED_TWICE };
  }
  // A repository may configure programs for git to run.
  const usesGit = every.some(({ words }) => words[0] === "git");
  if (usesGit && commands.some((one) => changesFolder(state, one, folder))) {
    return { behavior: "ask", reason: "other", reasonText: why.MOVED_GIT };
  }
  return undefined;
}

/** Whether a command changes the shell's folder. */
function changesFolder(
  state: PermissionSettings,
  { words }: SimpleCommand,
  folder: string,
): boolean {
  if (words[0] === "pushd" || words[0] === "popd") return true;
  if (words[0] !== "cd") return false;
  const effect = getEffect(words);
  if (effect.kind !== "moves" || /(?:^|\/)\.\.(?:\/|$)/.test(effect.path)) return true;
  return absolute(effect.path, folder, state.home) !== folder;
}

/** Names the rule if the whole line is one command. */
function createLineAsk(rule: Rule, line: ShellLine): Extract<Verdict, { behavior: "ask" }> {
  const isTakenApart = line.commands.length > 1 && !isOpaque(line);
  return isTakenApart ? { behavior: "ask", reason: "subcommandResults" } : askedByRule(rule);
}

/** Whether a line cannot be parsed at all. Then it is denied as a whole. */
function isOpaque({ unchecked, doubted }: ShellLine): boolean {
  return doubted === why.SUBSHELL || (unchecked !== undefined && unchecked !== why.SET_VARIABLE);
}

/** Judges each command in the folder to which the earlier ones have changed. */
function judgeAll(
  state: PermissionSettings,
  commands: readonly SimpleCommand[],
  folder: string,
): Judged[] {
  let here = folder;
  let left: string | undefined; // A question about going to a folder includes reading it.
  const moving = new Set(
    commands.filter((one) => changesFolder(state, one, folder)).map(({ pipe }) => pipe),
  );
  return commands.map((command) => {
    const place = { folder: here, isMoving: moving.has(command.pipe) };
    const judged = judgeOne(state, command, place);
    const isSeen = judged.kind === "path" && judged.how === "read" && left !== undefined;
    const verdict = isSeen && isInside(judged.path, left ?? "") ? fine : judged;
    if (judged.kind === "path" && judged.how === "leave") left = judged.path;
    const effect = getEffect(command.words);
    if (effect.kind === "moves") here = absolute(effect.path, here, state.home);
    return { command, verdict };
  });
}

const fine = { kind: "fine" } as const;

/**
 * Returns a path, or its real path if a link leads outside of the allowed folders, with the reason
 * why that matters.
 */
function resolveIfOutside(
  state: PermissionSettings,
  path: string,
): { path: string; link?: string } {
  const out = findLinkTargetOutside(state, path);
  return out ? { path: out.target, link: out.reasonText } : { path };
}

interface Place {
  readonly folder: string;
  /** A `cd` in the same line makes the targets of paths uncertain. */
  readonly isMoving: boolean;
}

function judgeOne(
  state: PermissionSettings,
  command: SimpleCommand,
  { folder, isMoving }: Place,
): Judged["verdict"] {
  const at = (path: string) => {
    const named = place(state, path, folder);
    return { kind: "path" as const, ...resolveIfOutside(state, named) };
  };
  const out = command.writes.find((path) => isMoving || !mayWrite(state, path, folder));
  if (out !== undefined) {
    const bare = judgeOne(state, { ...command, writes: [] }, { folder, isMoving });
    return {
      ...at(out),
      how: "redirect",
      by: "",
      isMoved: isMoving,
      isSensitive: isSensitive(at(out).path),
      isOpenBesides: bare.kind !== "fine",
    };
  }
  const unread = command.reads.find((path) => !mayRead(state, path, folder));
  if (unread !== undefined) return { ...at(unread), how: "read", by: "" };
  const inner = unwrapCommand(command.words)?.join(" ");
  const isCovered = [command.text, ...(inner === undefined ? [] : [inner])].some(
    (one) => ruleForCommand(state, "allow", one) !== undefined,
  );
  const effect = getEffect(command.words);
  const by = innerName(command.words);
  switch (effect.kind) {
    case "looks": {
      const path = effect.paths.find((one) => !mayRead(state, one, folder));
      if (path === undefined) return fine;
      const vague = hasExpansionCharacters(path) && { text: path, reasonText: why.EXPANDED };
      return { ...at(path), how: "read", by, ...(vague && { vague }) };
    }
    case "moves":
      if (mayRead(state, effect.path, folder)) return fine;
      return { ...at(effect.path), how: "leave", by };
    case "changes":
      return judgeChange(state, { command, paths: effect.paths, isCovered }, { folder, isMoving });
    case "unknown":
      return isCovered ? fine : { kind: "unknown" };
    default:
      return effect satisfies never;
  }
}

/**
 * Judges a change. A rule for the command covers files in the working folders, except sensitive
 * ones.
 */
function judgeChange(
  state: PermissionSettings,
  {
    command,
    paths,
    isCovered,
  }: { command: SimpleCommand; paths: readonly string[]; isCovered: boolean },
  { folder, isMoving }: Place,
): Judged["verdict"] {
  const by = innerName(command.words);
  const about = (path: string): AboutPath => ({
    kind: "path",
    ...resolveIfOutside(state, place(state, path, folder)),
    how: "write",
    by,
  });
  const closed = paths.filter((one) => !mayWrite(state, one, folder));
  if (isMoving) return { ...about(paths[0] ?? "."), isMoved: true };
  const steering = closed.find((one) => isSensitive(about(one).path));
  if (steering !== undefined) return { ...about(steering), isSensitive: true };
  const isOutside = (one: string) => !isAllowed(about(one).path, state.folders);
  const vague = closed.find((one) => explainVaguePath(one) !== undefined);
  if (vague !== undefined) {
    const vagueReason = explainVaguePath(vague) ?? "";
    const path = isPattern(vague) ? join(about(vague).path, vague) : about(vague).path;
    return { ...about(vague), path, vague: { text: vague, reasonText: vagueReason } };
  }
  if (isCovered && !closed.some(isOutside)) return fine;
  if (isMoreThanEdit(command.words) && state.mode === "acceptEdits") return { kind: "unknown" };
  const path = closed.find(isOutside) ?? closed[0] ?? (paths.length === 0 ? "." : undefined);
  return path === undefined ? fine : about(path);
}

function writesOutside(
  state: PermissionSettings,
  commands: readonly SimpleCommand[],
  folder: string,
): boolean {
  return commands.some(({ writes }) => writes.some((path) => !mayWrite(state, path, folder)));
}

/**
 * Judges a path that the shell will expand by the part before the expansion. If it begins with one,
 * it cannot be judged.
 */
function place(state: PermissionSettings, given: string, folder: string): string {
  const path = given.replace(/^\$HOME(?=\/|$)/, () => state.home);
  const fixed = path.replace(/[$`*?[{].*$/s, "");
  return fixed === path
    ? absolute(path, folder, state.home)
    : resolve(folder, dirname(`${fixed}x`));
}

function mayRead(state: PermissionSettings, path: string, folder: string): boolean {
  if (/[$`]/.test(path) || /^~[^/]/.test(path)) return false;
  const at = place(state, path, folder);
  if (ruleForPath(state, "deny", "Read", at)) return false;
  return isAllowed(at, state.folders) || ruleForPath(state, "allow", "Read", at) !== undefined;
}

function isPattern(path: string): boolean {
  return /[$`*?[{]/.test(path);
}

/** Whether a path contains characters that the shell expands, even if they are quoted here. */
function hasExpansionCharacters(path: string): boolean {
  return /[$`]/.test(path.replace(/^\$HOME(?=\/|$)/, ""));
}

/** Whether writing is allowed. A pattern may match a link that leads outside. */
function mayWrite(state: PermissionSettings, path: string, folder: string): boolean {
  if (isPattern(path) || /^~[^/]/.test(path)) return false;
  const at = place(state, path, folder);
  if (ruleForPath(state, "deny", "Edit", at)) return false;
  if (ruleForPath(state, "allow", "Edit", at)) return true;
  if (state.mode !== "acceptEdits" || hasParentStep(path)) return false;
  return isAllowed(at, state.folders) && !isSensitive(at);
}

/** Returns why the file that a path names for writing cannot be determined. */
function explainVaguePath(path: string): string | undefined {
  if (hasExpansionCharacters(path)) return why.EXPANDED;
  if (/[*?[]/.test(path)) return why.PATTERN;
  return hasParentStep(path) ? why.TURNS_BACK : undefined;
}

/** Whether a path has the form `a/../b`, whose target depends on whether `a` is a link. */
function hasParentStep(path: string): boolean {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  return steps.some((step, at) => step === ".." && steps.slice(0, at).some((one) => one !== ".."));
}
