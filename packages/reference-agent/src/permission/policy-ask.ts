import type { PermissionSettings } from "./state.ts";
import type { Verdict } from "./verdict.ts";

export const OUTSIDE = "Path is outside allowed working directories";

/**
 * Whether only the default policy requires the question (`server_policy_ask_only`), and no rule,
 * hook or path outside of the folders does. Undefined if this does not apply.
 */
export function isPolicyAlone(
  state: PermissionSettings,
  tool: string,
  { reason, reasonText, blockedPath, fields }: Extract<Verdict, { behavior: "ask" }>,
  hasHooks: boolean,
): boolean | undefined {
  if (reason === "rule") return false;
  if (tool.startsWith("mcp__")) {
    return reason === undefined ? !hasHooks && !fields?.["matched_ask_rule"] : undefined;
  }
  const isUsual = reason === undefined ? tool !== "Read" : reasonText === OUTSIDE;
  if (!["Read", "Write", "Edit"].includes(tool) || !isUsual) return undefined;
  if (blockedPath !== undefined || fields?.["matched_ask_rule"]) return false;
  return !hasHooks && !isRuledInPart(state, tool);
}

const aboutFiles = "Glob NotebookRead Cd Grep LS".split(" ");
const writers = ["Write", "NotebookEdit", "MultiEdit"];

/** Whether rules for some files might cover this file under another name. */
function isRuledInPart({ rules }: PermissionSettings, tool: string): boolean {
  const asksToRead = rules.ask.some((rule) => rule.tool === "Read" && rule.content !== undefined);
  if (asksToRead && tool !== "Read") return true;
  const names = tool === "Read" ? aboutFiles : [...aboutFiles, ...writers];
  const isTwin = (source: string, content: string) =>
    rules.deny.some(
      (rule) => rule.tool === "Edit" && rule.source === source && rule.content === content,
    );
  const counts = (isDeny: boolean) => (rule: (typeof rules.deny)[number]) => {
    if (rule.content === undefined || !names.includes(rule.tool)) return false;
    const isAbsolute = isDeny && writers.includes(rule.tool) && rule.content.startsWith("//");
    return !(isAbsolute && isTwin(rule.source, rule.content));
  };
  return rules.ask.some(counts(false)) || rules.deny.some(counts(true));
}
