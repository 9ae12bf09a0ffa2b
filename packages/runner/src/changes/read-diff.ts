import type { FileDiff } from "@signalbox/api";
import type { FolderOrderOfKind } from "@signalbox/api/link";
import { runGit } from "@signalbox/host/git";
import { resolveFolder } from "../supervise/folders.ts";
import { OrderError } from "../supervise/order-error.ts";
import { readSafeSettings, resolveComparison } from "./comparison.ts";
import { createDiffArguments } from "./diff-arguments.ts";
import { requireInside } from "./path-inside.ts";
import { createAddedPatch, isUntracked, readUntracked } from "./untracked-file.ts";

/** The longest patch that is sent whole. */
const MAX_PATCH = 2 * 1024 * 1024;

/** How one file of a folder has changed. */
export async function readDiff(order: FolderOrderOfKind<"read-diff">): Promise<FileDiff> {
  const folder = await resolveFolder(order.folder);
  const paths = [order.path, ...(order.from === undefined ? [] : [order.from])].map(requireInside);
  const [settings, comparison] = await Promise.all([
    readSafeSettings(folder),
    resolveComparison(folder, order.against),
  ]);
  if (settings === undefined) throw new OrderError("failed", "Git cannot be used in this folder.");
  const { context, whitespace } = order;
  const options = createDiffArguments({ context, whitespace, relative: true });
  const args = [...options, ...comparison.args, "--", ...paths];
  const { bytes, trouble } = await runGit(folder, args, settings);
  if (trouble !== undefined) throw new OrderError("failed", `Git failed: ${trouble}`);
  if (bytes.length > 0) return readPatch(bytes.toString());
  const [path = ""] = paths;
  if (!comparison.withUntracked || !(await isUntracked(folder, path))) return { kind: "none" };
  return readNewFile(folder, path);
}

async function readNewFile(folder: string, path: string): Promise<FileDiff> {
  const content = await readUntracked(folder, path);
  if (!content) return { kind: "none" };
  return content.kind === "binary" ? content : cutPatch(createAddedPatch(content.text));
}

/** Reads what `git diff` has printed of one file. */
function readPatch(printed: string): FileDiff {
  const start = printed.search(/^@@ /m);
  const header = start === -1 ? printed : printed.slice(0, start);
  if (/^(?:(?:new|deleted) file mode|index \w+\.\.\w+) 160000$/m.test(header)) {
    const find = (sign: string) =>
      new RegExp(`^\\${sign}Subproject commit (\\w+)`, "m").exec(printed)?.[1] ?? null;
    return { kind: "submodule", from: find("-"), to: find("+") };
  }
  if (start !== -1) return cutPatch(printed.slice(start));
  return /^Binary files /m.test(printed) ? { kind: "binary", bytes: null } : cutPatch("");
}

function cutPatch(patch: string): FileDiff {
  if (patch.length <= MAX_PATCH) return { kind: "text", patch, cut: false };
  const end = patch.lastIndexOf("\n", MAX_PATCH) + 1;
  return { kind: "text", patch: patch.slice(0, end), cut: true };
}
