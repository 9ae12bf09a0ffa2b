import type { MemoryFile } from "../memory/memory-file.ts";
import type { Session } from "../session.ts";
import type { HookRun } from "./hooks.ts";

/** A memory file, and what caused it to be loaded. */
export interface LoadedFile {
  readonly file: MemoryFile;
  /** The file that the model read or wrote. */
  readonly trigger: string;
}

/**
 * Reports the memory files that were loaded before a conversation to hooks, without waiting for
 * them.
 */
export function tellOpening({ hooks, memoryReason }: Session, files: readonly MemoryFile[]): void {
  if (!hooks.has("InstructionsLoaded")) return;
  for (const { path, type, importedBy } of files) {
    const reason = importedBy === undefined ? memoryReason : "include";
    const details = {
      file_path: path,
      memory_type: type,
      load_reason: reason,
      ...(importedBy === undefined ? {} : { parent_file_path: importedBy }),
    };
    void hooks.run("InstructionsLoaded", details, { subject: reason, isOutside: true });
  }
}

/** Reports memory files that were loaded during the conversation. */
export function tellMet(
  { hooks }: Session,
  loaded: readonly LoadedFile[],
  agent: HookRun["agent"],
): void {
  if (!hooks.has("InstructionsLoaded")) return;
  for (const { file, trigger } of loaded) {
    const { path, type, patterns, importedBy } = file;
    const isRule = patterns.length > 0;
    const reason =
      importedBy !== undefined ? "include" : isRule ? "path_glob_match" : "nested_traversal";
    const details = {
      file_path: path,
      memory_type: type,
      load_reason: reason,
      ...(isRule ? { globs: patterns } : {}),
      trigger_file_path: trigger,
      ...(importedBy === undefined ? {} : { parent_file_path: importedBy }),
    };
    void hooks.run("InstructionsLoaded", details, { subject: reason, ...(agent && { agent }) });
  }
}
