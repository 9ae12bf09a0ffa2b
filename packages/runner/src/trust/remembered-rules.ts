import { isObject } from "@signalbox/protocol/wire";
import { getPermissionId } from "./finding.ts";

/**
 * The ids of findings that result from permanently allowing a call, if the rule is written to the settings of the
 * folder. The person has allowed these rules, so they are trusted.
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
