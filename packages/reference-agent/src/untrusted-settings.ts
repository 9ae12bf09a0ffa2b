import { relative } from "node:path";
import { isObject } from "@signalbox/protocol/wire";
import type { AgentContext } from "@signalbox/agent";
import type { SettingsFile } from "./settings.ts";
import { isCheckedIn, type Trust, getTrust } from "./trust.ts";

const lists = ["allow", "additionalDirectories"] as const;
type List = (typeof lists)[number];
const looseModes: ReadonlySet<unknown> = new Set(["bypassPermissions", "auto"]);

/**
 * Removes what settings of an untrusted folder would allow. What they deny, or require a question
 * for, still applies.
 */
export function withoutUntrusted(
  files: readonly SettingsFile[],
  context: Pick<AgentContext, "environment" | "folder" | "report" | "isTrusted">,
): SettingsFile[] {
  const ofFolder = ({ source }: SettingsFile) =>
    source === "projectSettings" || source === "localSettings";
  const safeFiles = files.map((file) => (ofFolder(file) ? withoutLooseMode(file) : file));
  const widening = safeFiles.filter(
    (file) => ofFolder(file) && lists.some((list) => countEntries(file, list) > 0),
  );
  if (widening.length === 0 || context.isTrusted === true) return safeFiles;
  const trust = getTrust(context);
  if (trust.isTrusted) return safeFiles;
  // Local settings are a person's own unless they came with the repository.
  const foreign = widening.filter(
    ({ source, path }) => source === "projectSettings" || isCheckedIn(path ?? ""),
  );
  for (const list of lists) {
    const sentence = ignored(list, foreign, context.folder, trust);
    if (sentence !== undefined) context.report(sentence);
  }
  const nothing = { allow: [], additionalDirectories: [] };
  return safeFiles.map((file) => (foreign.includes(file) ? withPermissions(file, nothing) : file));
}

/**
 * Removes modes that skip questions, because only persons may choose them, in trusted folders, too.
 */
function withoutLooseMode(file: SettingsFile): SettingsFile {
  const { permissions } = file.content;
  if (!isObject(permissions) || !looseModes.has(permissions["defaultMode"])) return file;
  return withPermissions(file, { defaultMode: "default" });
}

function withPermissions(file: SettingsFile, change: object): SettingsFile {
  const { permissions } = file.content;
  const next = { ...(isObject(permissions) ? permissions : {}), ...change };
  return { ...file, content: { ...file.content, permissions: next } };
}

function countEntries({ content }: SettingsFile, list: List): number {
  const { permissions } = content;
  const entries = isObject(permissions) ? permissions[list] : undefined;
  return Array.isArray(entries) ? entries.length : 0;
}

/** Reports ignored settings in Claude Code's words. */
function ignored(
  list: List,
  files: readonly SettingsFile[],
  folder: string,
  { root, file }: Trust,
): string | undefined {
  const those = files.filter((one) => countEntries(one, list) > 0);
  const count = those.reduce((sum, one) => sum + countEntries(one, list), 0);
  if (count === 0) return undefined;
  const entries = count === 1 ? "entry" : "entries";
  const names = those.map(({ path }) => relative(folder, path ?? "")).join(" and ");
  return `Ignoring ${count} permissions.${list} ${entries} from ${names}: this workspace has not been trusted. Run Claude Code interactively here once and accept the trust dialog, or set projects[${JSON.stringify(root)}].hasTrustDialogAccepted: true in ${file}.`;
}
