import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentDefinition, MemoryScope } from "../commands/agents.ts";
import type { Session } from "../session.ts";

const LINES = 200;

/** Returns the memory folder of the kind with this name; undefined if it has no memory. */
export function memoryFolder(session: Session, kind: string | undefined): string | undefined {
  const found = session.agents.find(({ type }) => type === kind);
  return found?.memory && !isOff(session)
    ? getFolder(session, found.memory, found.type)
    : undefined;
}

function getFolder({ context, configFolder }: Session, scope: MemoryScope, type: string): string {
  const name = type.replaceAll(/[:/\\]|^\.+/g, "-"); // The folder must stay below its parent.
  switch (scope) {
    case "user":
      return join(configFolder, "agent-memory", name);
    case "project":
      return join(context.folder, ".claude", "agent-memory", name);
    case "local":
      return join(context.folder, ".claude", "agent-memory-local", name);
    default:
      return scope satisfies never;
  }
}

/** Returns what a kind with a memory is told about it, and the contents. */
export async function memoryOfKind(
  session: Session,
  { memory, type }: AgentDefinition,
): Promise<string[]> {
  const folder = memoryFolder(session, type);
  if (folder === undefined) return [];
  const memoryText = await readFile(join(folder, "MEMORY.md"), "utf8").catch(() => "");
  const text = memoryText.trim().split("\n").slice(0, LINES).join("\n");
  return [
    `# Your memory
What you learn and others of your kind will need the next time you keep in ${folder}${memory === "project" ? ", which everybody in the project shares" : ""}: a file for each thing, and a line for each file in MEMORY.md, of which you see the first ${LINES} lines. Look there before you begin. Keep what lasts; correct what turned out wrong.

## MEMORY.md
${text === "" ? "Nothing is kept yet." : text}`,
  ];
}

const isOff = ({ context }: Session): boolean =>
  /^(?:1|true|yes|on)$/i.test(context.environment["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] ?? "");
