import { dirname, join, relative } from "node:path";
import { isInside } from "../files/paths.ts";
import type { Session } from "../session.ts";
import { downTo, everywhere } from "./at-start.ts";
import { loaderFor, wants } from "./loader-for.ts";
import type { MemoryFile } from "./memory-file.ts";
import { fitsPatterns } from "./patterns.ts";

/**
 * Finds the memory for a file that the model reads or writes: rules for such files, and memory
 * files of the folders between the working folder and the file.
 */
export async function memoryAtFile(session: Session, path: string): Promise<MemoryFile[]> {
  const { folder } = session.context;
  if (!isInside(path, folder) || session.memory === undefined) return [];
  const loader = loaderFor(session);
  const fitting = (root: string) => (file: MemoryFile) =>
    !everywhere(file) && fitsPatterns(file.patterns, relative(root, path));
  const loaded: MemoryFile[] = [];
  if (wants(session, "User"))
    loaded.push(...(await loader.rules(session.configFolder, "User", fitting(folder))));
  const [project, local] = [wants(session, "Project"), wants(session, "Local")];
  const between = downTo(dirname(path)).filter((one) => one !== folder && isInside(one, folder));
  for (const one of between) {
    const own = join(one, ".claude");
    if (project) {
      loaded.push(...(await loader.load(join(one, "CLAUDE.md"), "Project")));
      loaded.push(...(await loader.load(join(own, "CLAUDE.md"), "Project")));
    }
    if (local) loaded.push(...(await loader.load(join(one, "CLAUDE.local.md"), "Local")));
    if (project) {
      loaded.push(...(await loader.rules(own, "Project", everywhere)));
      loaded.push(...(await loader.rules(own, "Project", fitting(one))));
    }
  }
  if (!project) return loaded;
  for (const one of downTo(folder))
    loaded.push(...(await loader.rules(join(one, ".claude"), "Project", fitting(one))));
  return loaded;
}
