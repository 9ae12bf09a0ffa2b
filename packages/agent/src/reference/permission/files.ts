import { dirname } from "node:path";
import { isAllowed, isInside, linkTarget, realPath } from "./paths.ts";
import { isSensitive, sensitiveText } from "./sensitive.ts";
import type { PermissionState } from "./state.ts";
import { readingNotGranted, writingNotGranted } from "./unasked.ts";
import {
  acceptEdits,
  addFolders,
  addRule,
  askedByRule,
  asksWhilePlanning,
  deniedPath,
  neverAllowed,
  ruleForPath,
  ruleForTool,
  type Verdict,
} from "./verdict.ts";

const OUTSIDE = "Path is outside allowed working directories";
const askOnly = { server_policy_ask_only: true };

const DENIED = "File is in a directory that is denied by your permission settings.";

/** A rule that denies a path is said before anything else is looked at. */
export function forbidRead(state: PermissionState, path: string): string | undefined {
  return deniedPath(state, "Read", path) ? DENIED : undefined;
}

/** Whoever may not read a file may not write over it either. */
export function forbidWrite(
  state: PermissionState,
  path: string,
  done: "written" | "edited",
): string | undefined {
  if (deniedPath(state, "Edit", path)) return DENIED;
  return deniedPath(state, "Read", path)
    ? `File is covered by a Read deny rule in your permission settings and cannot be ${done}.`
    : undefined;
}

/** Reading: free inside the allowed folders, asked for outside of them. `own` are the agent's files. */
export function judgeRead(
  state: PermissionState,
  path: string,
  own: (path: string) => boolean,
): Verdict {
  if (deniedPath(state, "Read", path)) {
    return {
      behavior: "deny",
      message: `Permission to read ${path} has been denied.`,
      reason: "rule",
    };
  }
  const asks = ruleForPath(state, "ask", "Read", path);
  if (asks) return { ...askedByRule(asks), firm: true };
  if (isAllowed(path, state.folders)) return { behavior: "allow", reason: "mode" };
  if (own(realPath(path))) return { behavior: "allow", reason: "other" };
  if (ruleForPath(state, "allow", "Read", path)) return { behavior: "allow", reason: "rule" };
  const folder = dirname(path);
  const link = leadsOut(state, path);
  return {
    behavior: "ask",
    reason: "workingDir",
    said: link?.said ?? OUTSIDE,
    unasked: readingNotGranted(path, link?.said),
    suggestions: [addRule("Read", `/${folder === "/" ? "" : folder}/**`, "session")],
    ...(link ? { blockedPath: link.target } : { fields: askOnly }),
  };
}

/** A path of an allowed folder that a link takes out of all of them. */
export function leadsOut(
  { folders }: PermissionState,
  path: string,
): { target: string; said: string } | undefined {
  const target = realPath(path);
  if (!folders.some((folder) => isInside(path, folder)) || isAllowed(path, folders))
    return undefined;
  return {
    target,
    said: `${path} resolves through a symlink to ${target}, which is outside the allowed working directories`,
  };
}

/** Writing: asked for, unless a rule or the mode allows it inside the allowed folders. */
export function judgeWrite(
  state: PermissionState,
  path: string,
  own: (path: string) => boolean,
): Verdict {
  if (deniedPath(state, "Edit", path)) {
    return {
      behavior: "deny",
      message: `Permission to edit ${path} has been denied.`,
      reason: "rule",
    };
  }
  if (linkTarget(path) !== undefined) {
    return {
      behavior: "deny",
      message: `Refusing to write ${path}: it is a symbolic link. Write to the link's target path instead: ${realPath(path)}.`,
      said: "Write target is a symbolic link",
      reason: "other",
    };
  }
  if (own(realPath(path))) return { behavior: "allow", reason: "other" };
  const accept = state.mode === "acceptEdits" ? [] : [acceptEdits];
  if (isSensitive(path) || isSensitive(realPath(path))) {
    const skill = /^\/\.claude\/skills\/[^/]+(?=\/)/.exec(path.slice(state.folder.length))?.[0];
    return {
      behavior: "ask",
      reason: "safetyCheck",
      said: sensitiveText(path),
      suggestions: skill === undefined ? accept : [addRule("Edit", `${skill}/**`, "session")],
      fields: { classifier_approvable: true },
      firm: "unless bypassed",
    };
  }
  const asks = ruleForPath(state, "ask", "Edit", path);
  if (asks) return { ...askedByRule(asks), firm: true };
  const inside = isAllowed(path, state.folders);
  if (inside && state.mode === "acceptEdits") return { behavior: "allow", reason: "mode" };
  const isPlanning = state.mode === "plan"; // what was allowed before waits for the plan
  if (!isPlanning && ruleForPath(state, "allow", "Edit", path)) {
    return { behavior: "allow", reason: "rule" };
  }
  // `Edit` alone is about edits where the agent works, wherever a link may lead.
  const whole = ["Edit", "Write", "NotebookEdit"].some((tool) => ruleForTool(state, "allow", tool));
  if (whole && inside && !isPlanning) return { behavior: "pass" };
  const link = leadsOut(state, path);
  if (link) {
    return {
      behavior: "ask",
      reason: "safetyCheck",
      said: link.said,
      unasked: writingNotGranted(path, link.said),
      suggestions: [...accept, addFolders([dirname(path), dirname(link.target)])],
      blockedPath: link.target,
      fields: neverAllowed,
      firm: "unless bypassed",
    };
  }
  if (isPlanning) return asksWhilePlanning(`write to ${path}`);
  const unasked = writingNotGranted(path);
  if (inside) return { behavior: "ask", suggestions: accept, fields: askOnly, unasked };
  return {
    behavior: "ask",
    reason: "workingDir",
    said: OUTSIDE,
    unasked,
    suggestions: [...accept, addFolders([dirname(path)])],
    fields: askOnly,
  };
}
