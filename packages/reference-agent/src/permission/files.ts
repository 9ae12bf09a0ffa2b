import { dirname } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { isAllowed, isCircular, isInside, linkTarget, realPath } from "../files/paths.ts";
import { OUTSIDE } from "./policy-ask.ts";
import { isSensitive, sensitiveText, skillRule } from "./sensitive.ts";
import type { Rule, RuleSource } from "./rule.ts";
import type { PermissionSettings } from "./state.ts";
import { readingNotGranted, writingNotGranted } from "./unasked.ts";
import {
  acceptEdits,
  addFolders,
  addRule,
  allowedByRule,
  askedByRule,
  needsPersonWhilePlanning,
  deniedByRule,
  deniedPath,
  neverAllowed,
  ruleForPath,
  ruleForTool,
  type Verdict,
} from "./verdict.ts";

const DENIED = "File is in a directory that is denied by your permission settings.";

/** Why a rule denies a file to a tool, and the source of that rule. */
export interface Forbidden {
  readonly why: string;
  readonly source: RuleSource;
}

/**
 * Returns the rule that denies reading a path by its name, before the file is accessed. Rules for
 * the target of a link apply when the call is judged.
 */
export function forbidRead(state: PermissionSettings, path: string): Forbidden | undefined {
  return forbidden(deniedPath(state, "Read", path, true), DENIED);
}

const forbidden = (rule: Rule | undefined, why: string): Forbidden | undefined =>
  rule && { why, source: rule.source };

/**
 * Returns the rule that denies writing. A file that may not be read may not be overwritten, either.
 */
export function forbidWrite(
  state: PermissionSettings,
  path: string,
  done: "written" | "edited",
): Forbidden | undefined {
  const unreadable = `File is covered by a Read deny rule in your permission settings and cannot be ${done}.`;
  return (
    forbidden(deniedPath(state, "Edit", path, true), DENIED) ??
    forbidden(deniedPath(state, "Read", path), unreadable)
  );
}

/**
 * Judges reading: allowed inside the allowed folders, and asked about outside. `own` recognizes the
 * agent's files.
 */
export function judgeRead(
  state: PermissionSettings,
  path: string,
  own: (path: string) => boolean,
): Verdict {
  const denies = deniedPath(state, "Read", path);
  if (denies) return deniedByRule(denies, `Permission to read ${path} has been denied.`);
  if (isCircular(path)) {
    const lost = "could not be examined, or the links do not resolve";
    return {
      behavior: "deny",
      message: `Refusing to read ${path}: where it leads on disk could not be determined (a link on the way ${lost}).`,
      reasonText: `Where ${path} leads on disk could not be determined (a link or directory on the way ${lost})`,
      reason: "other",
    };
  }
  const asks = ruleForPath(state, "ask", "Read", path);
  if (asks) return { ...askedByRule(asks), firm: true, unasked: readingNotGranted(path) };
  // Permission to write includes permission to read.
  const writes = ruleForPath(state, "allow", "Edit", path);
  if (writes) return allowedByRule(writes);
  if (isAllowed(path, state.folders)) return { behavior: "allow", reason: "mode" };
  if (own(realPath(path))) return { behavior: "allow", reason: "other" };
  const allows = ruleForPath(state, "allow", "Read", path);
  if (allows) return allowedByRule(allows);
  const folder = dirname(path);
  const link = findLinkTargetOutside(state, path);
  return {
    behavior: "ask",
    reason: "workingDir",
    reasonText: link?.reasonText ?? OUTSIDE,
    unasked: readingNotGranted(path, link?.reasonText),
    suggestions: withTarget(folder)
      .filter((one) => one !== "/")
      .map((one) => addRule("Read", `/${one}/**`, "session")),
    ...(link && { blockedPath: link.target }),
  };
}

/** Returns a folder under its given name and its real path. */
const withTarget = (folder: string): string[] => [...new Set([folder, realPath(folder)])];

/** Returns the real path if a link leads from an allowed folder to outside of all of them. */
export function findLinkTargetOutside(
  { folders }: PermissionSettings,
  path: string,
): { target: string; reasonText: string } | undefined {
  const target = realPath(path);
  if (!folders.some((folder) => isInside(path, folder)) || isAllowed(path, folders))
    return undefined;
  return {
    target,
    reasonText: `${path} resolves through a symlink to ${target}, which is outside the allowed working directories`,
  };
}

/** Judges writing: asked about, unless a rule or the mode allows it inside the allowed folders. */
export function judgeWrite(
  state: PermissionSettings,
  tool: "Edit" | "NotebookEdit" | "Write",
  path: string,
  own: (path: string) => boolean,
): Verdict {
  const denies = deniedPath(state, "Edit", path);
  if (denies) return deniedByRule(denies, `Permission to edit ${path} has been denied.`);
  if (linkTarget(path) !== undefined) {
    return {
      behavior: "deny",
      message: `Refusing to write ${path}: it is a symbolic link. Write to the link's target path instead: ${realPath(path)}.`,
      reasonText: "Write target is a symbolic link",
      reason: "other",
    };
  }
  // Permissions from before wait until the plan is approved.
  const isPlanning = state.mode === "plan";
  if (!isPlanning && mayWriteSkill(state, path)) return { behavior: "allow", reason: "rule" };
  const asks = ruleForPath(state, "ask", "Edit", path);
  if (asks) return { ...askedByRule(asks), firm: true, unasked: writingNotGranted(path) };
  if (own(realPath(path))) return { behavior: "allow", reason: "other" };
  const inside = isAllowed(path, state.folders);
  const suggestions = createSuggestions(state, path, inside);
  const link = findLinkTargetOutside(state, path);
  if (isSensitive(path) || isSensitive(realPath(path))) {
    const rule = skillRule(state, path);
    const why = sensitiveText(path);
    const reasonText = link ? `${why} ${link.reasonText}.` : why;
    return {
      behavior: "ask",
      reason: "safetyCheck",
      reasonText,
      suggestions: rule === undefined ? suggestions : [addRule("Edit", rule, "session")],
      ...(link && { blockedPath: link.target }),
      fields: link ? neverAllowed : { classifier_approvable: true },
      firm: "unless bypassed",
    };
  }
  if (isPlanning) return needsPersonWhilePlanning(`write to ${path}`);
  if (inside && state.mode === "acceptEdits") return { behavior: "allow", reason: "mode" };
  const allows = ruleForPath(state, "allow", "Edit", path);
  if (allows) return allowedByRule(allows);
  // A rule with only the tool's name covers edits in the working folders, wherever a link may lead.
  if (inside && ruleForTool(state, "allow", tool)) return { behavior: "pass" };
  if (link) {
    return {
      behavior: "ask",
      reason: "safetyCheck",
      reasonText: link.reasonText,
      unasked: writingNotGranted(path, link.reasonText),
      suggestions,
      blockedPath: link.target,
      fields: neverAllowed,
      firm: "unless bypassed",
    };
  }
  const unasked = writingNotGranted(path);
  if (inside) return { behavior: "ask", suggestions, unasked };
  return { behavior: "ask", reason: "workingDir", reasonText: OUTSIDE, unasked, suggestions };
}

/** Whether a person has allowed this session to write this skill. */
function mayWriteSkill(state: PermissionSettings, path: string): boolean {
  const content = skillRule(state, path);
  return state.rules.allow.some(
    (rule) => rule.source === "session" && rule.tool === "Edit" && rule.content === content,
  );
}

function createSuggestions(state: PermissionSettings, path: string, inside: boolean): JsonObject[] {
  const before = state.mode === "plan" ? state.modeBeforePlan : state.mode;
  const accept = before === "default" ? [acceptEdits] : [];
  return inside ? accept : [...accept, addFolders(withTarget(dirname(path)))];
}
