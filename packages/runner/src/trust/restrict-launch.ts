import { dirname, join } from "node:path";
import type { Launch } from "@signalbox/host";
import { findRepositoryRoot } from "./git-folders.ts";
import { createInertGitEnvironment } from "./inert-git.ts";
import { readInside } from "./read-inside.ts";
import { memoryFiles } from "./scan-memory.ts";

/** An argument is limited to 128 KiB, and the rest of the system prompt needs some of it. */
const MEMORY_LIMIT = 64 << 10;

/**
 * Restricts a launch in a folder that is not trusted: no project or local settings, only the MCP servers of the
 * launch, no programs of the Git configuration. The text of CLAUDE.md is added to the system prompt without
 * resolving its imports (`@file`).
 */
export function restrictLaunch(launch: Launch, folder: string): Launch {
  const prompts = [launch.appendSystemPrompt, readProjectMemory(folder)].filter(
    (text) => text !== undefined,
  );
  return {
    ...launch,
    settingSources: ["user"],
    strictMcpConfig: true,
    ...(prompts.length > 0 && { appendSystemPrompt: prompts.join("\n\n") }),
    environment: { ...launch.environment, ...createInertGitEnvironment(folder) },
  };
}

/** The text of the CLAUDE.md files of the folder and of the folders above it in the same repository. */
function readProjectMemory(folder: string): string | undefined {
  const root = findRepositoryRoot(folder);
  const parts: string[] = [];
  let room = MEMORY_LIMIT;
  for (const place of listFolders(root, folder)) {
    for (const name of memoryFiles) {
      const path = join(place, name);
      const read = readInside(root, path, MEMORY_LIMIT);
      if (read.kind !== "text" || read.bytes.length > room || read.text.includes("\0")) continue;
      room -= read.bytes.length;
      parts.push(`Contents of ${path} (project instructions):\n\n${read.text.trim()}`);
    }
  }
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** The folders from the root down to the folder. */
function listFolders(root: string, folder: string): string[] {
  return folder === root ? [root] : [...listFolders(root, dirname(folder)), folder];
}
