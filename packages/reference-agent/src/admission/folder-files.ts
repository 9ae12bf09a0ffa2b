import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "@signalbox/protocol/wire";
import type { AgentContext } from "@signalbox/agent";
import { getConfigFolder } from "../session.ts";
import type { SettingsFile } from "../settings.ts";
import { isCheckedIn } from "../trust.ts";

export type StartContext = Pick<AgentContext, "environment" | "folder" | "options">;
export type FolderFile = Pick<SettingsFile, "source" | "content"> & {
  readonly path: string;
  /** The file came with the folder and is not the person's own. */
  readonly isForeign: boolean;
};

/** Reads the settings of the person and of the folder, as far as they apply. */
export function readFolderFiles({ environment, folder, options }: StartContext): FolderFile[] {
  const wanted = (name: string) => options.settingSources?.includes(name) ?? true;
  const user = join(getConfigFolder(environment), "settings.json");
  const project = join(folder, ".claude", "settings.json");
  const local = localPath(folder);
  return [
    ...(wanted("user") ? [read("userSettings", user, false)] : []),
    ...(wanted("project") ? [read("projectSettings", project, true)] : []),
    ...(wanted("local") ? [read("localSettings", local, isCheckedIn(local))] : []),
  ];
}

export function localPath(folder: string): string {
  return join(folder, ".claude", "settings.local.json");
}

function read(source: SettingsFile["source"], path: string, isForeign: boolean): FolderFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    text = ""; // There is no such file.
  }
  const content = parseObject(text);
  return { source, path, isForeign, content: typeof content === "string" ? {} : content };
}
