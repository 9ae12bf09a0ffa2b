import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { unregisterLeader, registerLeader } from "./orphans.ts";
import { loadProcessTags, type ProcessTag, withProcessTag } from "./process-tag.ts";

/**
 * Starts a program, or rejects with what the system said. It has a session of its own: stopping it
 * reaches its whole group, and a Ctrl-C meant for us does not. All its descendants carry the tag.
 */
export async function spawnTagged(
  command: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd?: string },
  tag: ProcessTag,
): Promise<ChildProcessWithoutNullStreams> {
  const tags = await loadProcessTags();
  const child = withProcessTag(tags, tag, () =>
    spawn(command, [...args], { ...options, detached: true }),
  );
  if (child.pid === undefined) {
    const [failure] = (await once(child, "error")) as [Error];
    throw failure;
  }
  const { pid } = child;
  registerLeader(pid);
  child.once("exit", () => unregisterLeader(pid));
  child.on("error", () => {}); // such as a signal that could not be sent: nobody's concern here
  return child;
}
