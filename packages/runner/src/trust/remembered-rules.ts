import { isObject } from "@signalbox/protocol";
import { getPermissionId } from "./finding.ts";

/**
 * A person who allows a call for good may have the rule written into the folder's own settings. What they
 * allowed there they trust: these are the ids of the findings that will come of it.
 */
export function getRememberedIds(updates: readonly unknown[]): string[] {
  return updates.filter(isObject).flatMap((update) => {
    const { type, destination, rules, behavior, directories, mode } = update;
    if (destination !== "localSettings" && destination !== "projectSettings") return [];
    if (type === "addRules" || type === "replaceRules") {
      if (behavior !== "allow" || !Array.isArray(rules)) return [];
      return rules.filter(isObject).map(({ toolName, ruleContent }) => {
        const content = typeof ruleContent === "string" ? `(${ruleContent})` : "";
        return getPermissionId(`allow ${String(toolName)}${content}`);
      });
    }
    if (type === "addDirectories" && Array.isArray(directories)) {
      return directories.map((folder) => getPermissionId(`add the folder ${String(folder)}`));
    }
    return type === "setMode" ? [getPermissionId(`defaultMode: ${String(mode)}`)] : [];
  });
}
