import { dirname, resolve } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { effectOf, isWrapped } from "./commands.ts";
import { deniedFile, deniedLine, namesOnlyWhole, stopsSome } from "./denied.ts";
import { everyCommand } from "./every-command.ts";
import { absolute, isAllowed } from "./paths.ts";
import { judgeRemovals } from "./removals.ts";
import type { Rule } from "./rule.ts";
import { readShell, type ShellLine, type SimpleCommand } from "./shell-words.ts";
import type { PermissionState } from "./state.ts";
import { changeNeedsApproval, lookingBlocked, severalNeedApproval } from "./unasked.ts";
import { BACKGROUND, SET_VARIABLE, SOMETHING, SUBSHELL, VARIABLE } from "./unchecked.ts";
import {
  acceptEdits,
  addFolders,
  addRule,
  askedByRule,
  neverAllowed,
  ruleForCommand,
  ruleForPath,
  type Verdict,
} from "./verdict.ts";

/** Whether a line only looks: such commands may run beside one another. */
export function onlyLooks(line: string): boolean {
  const { commands, unchecked, doubted, background } = readShell(line);
  return (
    unchecked === undefined &&
    doubted === undefined &&
    !background &&
    commands.every(
      ({ words, writes }) =>
        writes.length === 0 && ["looks", "moves"].includes(effectOf(words).kind),
    )
  );
}

/** What the rules, the mode and the command itself say about a line of Bash. */
export function judgeCommand(state: PermissionState, line: string, folder: string): Verdict {
  const shell = readShell(line);
  const { commands } = shell;
  const whole = line.trim();
  const every = everyCommand(line);
  // Whatever the line may run, in whatever clothes.
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
  if (asks) return { ...askedByRule(asks), firm: true };
  const dangerous = judgeRemovals(state, every, folder);
  if (dangerous) return dangerous;
  if (every.doubt && stopsSome(state)) {
    return { behavior: "ask", reason: "other", said: SOMETHING, suggestions: [], firm: true };
  }
  const wordForWord = ({ tool, content }: Rule) => tool === "Bash" && content === whole;
  if (state.rules.allow.some(wordForWord) && !redirectsOut(state, commands, folder)) {
    return { behavior: "allow", reason: "rule" };
  }
  const unchecked =
    shell.unchecked ?? (shell.assigns && !state.knowsShell ? SET_VARIABLE : undefined);
  const isCovered = unchecked === VARIABLE && ruleForCommand(state, "allow", whole) !== undefined;
  if (unchecked !== undefined && !isCovered) {
    return { behavior: "ask", reason: "other", said: unchecked, suggestions: [] };
  }
  if (shell.doubted !== undefined) {
    return { behavior: "ask", reason: "other", said: shell.doubted };
  }
  return inSum(state, judgeAll(state, commands, folder), shell, whole);
}

/** Whether a line is not taken apart at all: then it is denied as a whole. */
function isOpaque({ unchecked, doubted }: ShellLine): boolean {
  return doubted === SUBSHELL || (unchecked !== undefined && unchecked !== SET_VARIABLE);
}

type Judged = {
  command: SimpleCommand;
  verdict:
    | { kind: "fine" }
    | {
        kind: "path";
        path: string;
        how: "read" | "write" | "redirect" | "leave";
        /** The command by name; empty for what the shell itself opens. */
        by: string;
      }
    | { kind: "unknown" };
};

/** Each command in the folder that those before it have gone to. */
function judgeAll(
  state: PermissionState,
  commands: readonly SimpleCommand[],
  folder: string,
): Judged[] {
  let here = folder;
  const isMoving = commands.some(({ words }) => words[0] === "cd");
  return commands.map((command) => {
    const verdict = judgeOne(state, command, here, isMoving);
    const effect = effectOf(command.words);
    if (effect.kind === "moves") here = absolute(effect.path, here, state.home);
    return { command, verdict };
  });
}

function judgeOne(
  state: PermissionState,
  command: SimpleCommand,
  folder: string,
  isMoving: boolean,
): Judged["verdict"] {
  const out = command.writes.find((path) => !mayWrite(state, path, folder));
  const at = (path: string) => ({ kind: "path" as const, path: place(state, path, folder) });
  if (out !== undefined) return { ...at(out), how: "redirect", by: "" };
  const unread = command.reads.find((path) => !mayRead(state, path, folder));
  if (unread !== undefined) return { ...at(unread), how: "read", by: "" };
  if (ruleForCommand(state, "allow", command.text)) return { kind: "fine" };
  const effect = effectOf(command.words);
  const by = command.words[0] ?? "";
  switch (effect.kind) {
    case "looks": {
      const path = effect.paths.find((one) => !mayRead(state, one, folder));
      return path === undefined ? { kind: "fine" } : { ...at(path), how: "read", by };
    }
    case "moves":
      if (mayRead(state, effect.path, folder)) return { kind: "fine" };
      return { ...at(effect.path), how: "leave", by };
    case "changes": {
      // Accepted are edits where the line begins; not where a `cd` beside them may lead.
      if ((by === "tee" || isMoving) && state.mode === "acceptEdits") return { kind: "unknown" };
      const closed = effect.paths.filter((one) => !mayWrite(state, one, folder));
      const isOutside = (one: string) => !isAllowed(at(one).path, state.folders);
      const path =
        closed.find(isOutside) ?? closed[0] ?? (effect.paths.length === 0 ? "." : undefined);
      return path === undefined ? { kind: "fine" } : { ...at(path), how: "write", by };
    }
    case "unknown":
      return { kind: "unknown" };
    default:
      return effect satisfies never;
  }
}

function inSum(
  state: PermissionState,
  judged: readonly Judged[],
  taken: ShellLine,
  line: string,
): Verdict {
  const { commands, background, pipes } = taken;
  const open = judged.filter(({ verdict }) => verdict.kind !== "fine");
  // Which variables a shell has of its own is known when it has run: a loop may set one of them.
  const isBlind = taken.loops && !state.knowsShell;
  const parts = open.map(({ command }) => command.text);
  const unasked = parts.length === 0 ? {} : { unasked: severalNeedApproval(parts) };
  const several: Verdict = {
    behavior: "ask",
    reason: "subcommandResults",
    ...unasked,
    ...(isBlind && pipes && { suggestions: [] }),
  };
  if (taken.pipesInside || (isBlind && commands.length > 1)) return several;
  const [first] = open;
  if (!first && background && !isBlind) {
    const fields = neverAllowed;
    const reason = pipes ? "subcommandResults" : "safetyCheck";
    return { behavior: "ask", reason, said: BACKGROUND, fields, firm: "unless bypassed" };
  }
  if (!first && !isBlind) return { behavior: "allow", reason: "subcommandResults" };
  const asked = first && askForPaths(state, open, taken, line);
  if (asked) {
    const isRead = first.verdict.kind === "path" && first.verdict.how === "read";
    return (isBlind || background) && isRead ? withoutSuggestions(asked) : asked;
  }
  const isSecret = isBlind || background; // no rule could cover it
  if (commands.length > 1) {
    const rules = open.map(({ command }) => suggestedRule(command.plain));
    return isSecret ? several : { ...several, suggestions: together(rules) };
  }
  const rule = suggestedRule(first?.command.plain ?? line);
  return {
    behavior: "ask",
    reason: "other",
    said: "This command requires approval",
    ...(!isSecret && { suggestions: [addRule("Bash", rule, "localSettings")] }),
  };
}

/** If it is for a path that a person is asked. */
function askForPaths(
  state: PermissionState,
  open: readonly Judged[],
  { commands, pipes }: ShellLine,
  line: string,
): Ask | undefined {
  // Where output goes is named whatever else the line does; so is a folder that is left.
  const out = open.find(({ verdict }) => verdict.kind === "path" && verdict.how === "redirect");
  if (out?.verdict.kind === "path") {
    const { path } = out.verdict;
    return {
      behavior: "ask",
      suggestions: [...together([suggestedRule(line)]), addFolders([dirname(path)])],
      hookSuggestions: [addFolders([dirname(path)])],
      blockedPath: path,
      unasked: changeNeedsApproval("", path, whereabouts(state, path)),
    };
  }
  const left = open.find(({ verdict }) => verdict.kind === "path" && verdict.how === "leave");
  if (left?.verdict.kind === "path") {
    const { path, by } = left.verdict;
    const unasked = lookingBlocked(by, path, state.folders);
    const hookSuggestions = [addRule("Read", `/${path}/**`, "session")];
    return { behavior: "ask", suggestions: [], hookSuggestions, blockedPath: path, unasked };
  }
  const [first] = open;
  if (first?.verdict.kind !== "path" || (commands.length > 1 && open.length > 1)) return undefined;
  const asked = askForPath(state, suggestedRule(line), first.verdict);
  if (!pipes) return asked;
  const { blockedPath: _, ...unnamed } = asked;
  const unasked = severalNeedApproval([first.command.text]);
  return { ...unnamed, reason: "subcommandResults", unasked };
}

type Ask = Extract<Verdict, { behavior: "ask" }>;

function withoutSuggestions(asked: Ask): Ask {
  const { suggestions: _, ...rest } = asked;
  return rest;
}

function askForPath(
  state: PermissionState,
  ruleContent: string,
  { path, how, by }: { path: string; how: string; by: string },
): Ask {
  const rule = addRule("Bash", ruleContent, "localSettings");
  if (how === "read") {
    const pattern = `/${dirname(path) === "/" ? "" : dirname(path)}/**`;
    const hookSuggestions = [addRule("Read", pattern, "session")];
    return {
      behavior: "ask",
      suggestions: [rule, ...hookSuggestions],
      hookSuggestions,
      blockedPath: path,
      unasked: lookingBlocked(by, path, state.folders),
    };
  }
  const accept = state.mode === "acceptEdits" ? [] : [acceptEdits];
  const hookSuggestions = [addFolders([dirname(path)]), ...accept];
  return {
    behavior: "ask",
    suggestions: [rule, ...hookSuggestions],
    hookSuggestions,
    blockedPath: path,
    unasked: changeNeedsApproval(by, path, whereabouts(state, path)),
  };
}

function whereabouts({ folders }: PermissionState, path: string) {
  return { folders, isInside: isAllowed(path, folders) };
}

/** `npm install left-pad` is suggested as `npm install *`, `python3 -c 1` as it stands. */
function suggestedRule(text: string): string {
  const words = text.split(/\s+/);
  const [name = "", sub = ""] = words;
  const isPlain = /^(?:[a-z][\w.-]*|!)$/i.test(name) && /^[a-z][a-z0-9-]*$/.test(sub);
  return isPlain && !isWrapped(words) ? `${name} ${sub} *` : text;
}

function together(rules: readonly string[]): JsonObject[] {
  if (rules.length === 0) return [];
  return [
    {
      type: "addRules",
      rules: rules.map((ruleContent) => ({ toolName: "Bash", ruleContent })),
      behavior: "allow",
      destination: "localSettings",
    },
  ];
}

function redirectsOut(
  state: PermissionState,
  commands: readonly SimpleCommand[],
  folder: string,
): boolean {
  return commands.some(({ writes }) => writes.some((path) => !mayWrite(state, path, folder)));
}

/** A path that the shell will expand is judged by the part before that; one that begins so, not at all. */
function place(state: PermissionState, path: string, folder: string): string {
  const fixed = path.replace(/[$*?[{].*$/s, "");
  return fixed === path
    ? absolute(path, folder, state.home)
    : resolve(folder, dirname(`${fixed}x`));
}

function mayRead(state: PermissionState, path: string, folder: string): boolean {
  if (/\$/.test(path) || /^~[^/]/.test(path)) return false;
  const at = place(state, path, folder);
  if (ruleForPath(state, "deny", "Read", at)) return false;
  return isAllowed(at, state.folders) || ruleForPath(state, "allow", "Read", at) !== undefined;
}

/** What a pattern meets may be a link that leads out. */
function mayWrite(state: PermissionState, path: string, folder: string): boolean {
  if (/[$*?[{]/.test(path) || /^~[^/]/.test(path)) return false;
  const at = place(state, path, folder);
  if (ruleForPath(state, "deny", "Edit", at)) return false;
  if (ruleForPath(state, "allow", "Edit", at)) return true;
  if (state.mode !== "acceptEdits" || turnsBack(path)) return false;
  return isAllowed(at, state.folders) && !isSensitive(at);
}

/** `a/../b`: where `..` leads depends on whether `a` is a link. */
function turnsBack(path: string): boolean {
  const steps = path.split("/").filter((step) => step !== "" && step !== ".");
  return steps.some((step, at) => step === ".." && steps.slice(0, at).some((one) => one !== ".."));
}

/** Files by which a repository or a shell could be made to run something. Many disks do not tell
 * capital letters from small ones. */
export function isSensitive(path: string): boolean {
  return (
    /\/\.(git|vscode|idea|claude|husky|devcontainer)(\/|$)/i.test(path) ||
    /\/\.(bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|gitconfig|gitmodules|ripgreprc|mcp\.json|claude\.json|envrc|npmrc)$/i.test(
      path,
    )
  );
}
