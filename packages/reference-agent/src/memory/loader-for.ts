import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseObject } from "@signalbox/protocol/wire";
import type { Session } from "../session.ts";
import { MemoryLoader } from "./loader.ts";
import type { MemoryFile } from "./memory-file.ts";

export const MANAGED_FOLDER = "/etc/claude-code";

export function loaderFor(session: Session): MemoryLoader {
  const { context, home, settings, memory } = session;
  return new MemoryLoader({
    folder: context.folder,
    home,
    excludes: settings.files.flatMap(({ content }) => {
      const excludedPatterns = content["claudeMdExcludes"];
      return Array.isArray(excludedPatterns)
        ? excludedPatterns.filter((one) => typeof one === "string")
        : [];
    }),
    mayLeave: mayImportFromAnywhere(session),
    known: memory?.map(({ path }) => path) ?? [],
  });
}

/** Whether `--setting-sources` includes files of this kind. */
export function wants({ context }: Session, type: MemoryFile["type"]): boolean {
  return context.options.settingSources?.includes(type.toLowerCase()) ?? true;
}

/**
 * Whether a person allowed imports from anywhere. Claude Code stores that answer beside its
 * settings.
 */
function mayImportFromAnywhere({ context, home }: Session): boolean {
  const place = context.environment["CLAUDE_CONFIG_DIR"] ?? home;
  try {
    const storedConfig = parseObject(readFileSync(join(place, ".claude.json"), "utf8"));
    const projects = typeof storedConfig === "string" ? undefined : storedConfig["projects"];
    const project = isObject(projects) ? projects[context.folder] : undefined;
    return isObject(project) && project["hasClaudeMdExternalIncludesApproved"] === true;
  } catch {
    return false; // There is no such file.
  }
}
