import { dirname } from "node:path";
import { isSensitive } from "./bash.ts";
import { isAllowed, realPath } from "./paths.ts";
import type { PermissionState } from "./state.ts";
import {
  acceptEdits,
  addFolders,
  addRule,
  ruleForPath,
  ruleForTool,
  type Verdict,
} from "./verdict.ts";

const OUTSIDE = "Path is outside allowed working directories";
const askOnly = { server_policy_ask_only: true };

/** Reading: free inside the allowed folders, asked for outside of them. `own` are the agent's files. */
export function judgeRead(
  state: PermissionState,
  path: string,
  own: (path: string) => boolean,
): Verdict {
  if (ruleForPath(state, "deny", "Read", path)) {
    return {
      behavior: "deny",
      message: `Permission to read ${path} has been denied.`,
      reason: "rule",
    };
  }
  if (ruleForPath(state, "ask", "Read", path)) {
    return { behavior: "ask", reason: "rule", suggestions: [], firm: true };
  }
  if (isAllowed(path, state.folders)) return { behavior: "allow", reason: "mode" };
  if (own(realPath(path))) return { behavior: "allow", reason: "other" };
  if (ruleForPath(state, "allow", "Read", path)) return { behavior: "allow", reason: "rule" };
  const folder = dirname(path);
  return {
    behavior: "ask",
    reason: "workingDir",
    said: OUTSIDE,
    suggestions: [addRule("Read", `/${folder === "/" ? "" : folder}/**`, "session")],
    fields: askOnly,
  };
}

/** Writing: asked for, unless a rule or the mode allows it inside the allowed folders. */
export function judgeWrite(
  state: PermissionState,
  path: string,
  own: (path: string) => boolean,
): Verdict {
  if (ruleForPath(state, "deny", "Edit", path)) {
    return {
      behavior: "deny",
      message: `Permission to edit ${path} has been denied.`,
      reason: "rule",
    };
  }
  if (own(realPath(path))) return { behavior: "allow", reason: "other" };
  if (isSensitive(path) || isSensitive(realPath(path))) {
    return {
      behavior: "ask",
      reason: "safetyCheck",
      said: `Claude requested permissions to edit ${path} which is a sensitive file.`,
      suggestions: [],
      fields: { classifier_approvable: true },
      firm: true,
    };
  }
  if (ruleForPath(state, "ask", "Edit", path)) {
    return { behavior: "ask", reason: "rule", suggestions: [], firm: true };
  }
  const inside = isAllowed(path, state.folders);
  if (inside && state.mode === "acceptEdits") return { behavior: "allow", reason: "mode" };
  if (ruleForPath(state, "allow", "Edit", path)) return { behavior: "allow", reason: "rule" };
  // `Edit` alone is about edits where the agent works, wherever a link may lead.
  const whole = ["Edit", "Write", "NotebookEdit"].some((tool) => ruleForTool(state, "allow", tool));
  if (whole && inside) return { behavior: "pass" };
  const accept = state.mode === "acceptEdits" ? [] : [acceptEdits];
  if (inside) return { behavior: "ask", suggestions: accept, fields: askOnly };
  return {
    behavior: "ask",
    reason: "workingDir",
    said: OUTSIDE,
    suggestions: [...accept, addFolders([dirname(path)])],
    fields: askOnly,
  };
}
