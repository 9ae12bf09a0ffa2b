import { dirname, join } from "node:path";
import type { Session } from "../session.ts";
import { loaderFor, MANAGED_FOLDER, wants } from "./loader-for.ts";
import type { MemoryLoader } from "./loader.ts";
import type { MemoryFile } from "./memory-file.ts";

/**
 * Loads the memory before a conversation: the machine's, the user's, and that of each folder from
 * the root down to the working folder. Rules for certain files are loaded later.
 */
export async function memoryAtStart(session: Session): Promise<MemoryFile[]> {
  const { context, settings, permission, configFolder } = session;
  const environment = { ...context.environment, ...settings.environment };
  if (isOn(environment["CLAUDE_CODE_DISABLE_CLAUDE_MDS"])) return [];
  const loader = loaderFor(session);
  const loaded = [
    ...(await loader.load(join(MANAGED_FOLDER, "CLAUDE.md"), "Managed")),
    ...(await loader.rules(join(MANAGED_FOLDER, ".claude"), "Managed", everywhere)),
  ];
  if (wants(session, "User")) {
    loaded.push(...(await loader.load(join(configFolder, "CLAUDE.md"), "User")));
    loaded.push(...(await loader.rules(configFolder, "User", everywhere)));
  }
  const asked = isOn(environment["CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"]);
  for (const folder of [...downTo(context.folder), ...(asked ? permission.addedFolders : [])])
    loaded.push(...(await getMemory(folder, session, loader)));
  return loaded;
}

async function getMemory(
  folder: string,
  session: Session,
  loader: MemoryLoader,
): Promise<MemoryFile[]> {
  const own = join(folder, ".claude");
  const loaded: MemoryFile[] = [];
  if (wants(session, "Project")) {
    loaded.push(...(await loader.load(join(folder, "CLAUDE.md"), "Project")));
    loaded.push(...(await loader.load(join(own, "CLAUDE.md"), "Project")));
    loaded.push(...(await loader.rules(own, "Project", everywhere)));
  }
  if (wants(session, "Local"))
    loaded.push(...(await loader.load(join(folder, "CLAUDE.local.md"), "Local")));
  return loaded;
}

export const everywhere = ({ patterns }: MemoryFile): boolean => patterns.length === 0;

/** Lists a folder and its parents, from the root down. */
export function downTo(folder: string): string[] {
  const up = dirname(folder);
  return up === folder ? [folder] : [...downTo(up), folder];
}

function isOn(value: string | undefined): boolean {
  return /^(?:1|true|yes|on)$/i.test(value ?? "");
}
