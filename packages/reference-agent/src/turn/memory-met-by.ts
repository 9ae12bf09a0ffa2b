import type { JsonObject } from "@signalbox/protocol/wire";
import { tellMemory } from "../memory/met.ts";
import { shownBy } from "../memory/shown-by.ts";
import { absolute } from "../files/paths.ts";
import { getPath } from "../tools/file-tools.ts";
import { text, type Tool } from "../tool.ts";
import type { Thread } from "./thread.ts";

const keys: Readonly<Record<string, string>> = {
  Read: "file_path",
  Write: "file_path",
  Edit: "file_path",
  NotebookEdit: "notebook_path",
};

/** Returns the memory for the files that a call has read or written. */
export async function loadMemoryForCall(
  thread: Thread,
  { name }: Tool,
  input: JsonObject,
): Promise<string[]> {
  const { session } = thread;
  const key = keys[name];
  const paths =
    key !== undefined
      ? [getPath(input, session, key)]
      : name === "Bash"
        ? shownBy(text(input, "command")).map((one) =>
            absolute(one, session.shellFolder, session.home),
          )
        : [];
  const memoryNotes: string[] = [];
  for (const path of paths) memoryNotes.push(...(await tellMemory(thread, path)));
  return memoryNotes;
}
