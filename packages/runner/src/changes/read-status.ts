import { type GitSettings, runGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";

/** What `git status` says of a path, as the bytes of its name from the folder (one character for each byte). */
interface StatusEntry {
  readonly path: string;
  readonly kind: "changed" | "conflict" | "untracked";
  readonly isStaged: boolean;
  readonly isUnstaged: boolean;
}

/**
 * Asks Git once what differs between the last commit, the index and the files, because it looks at every file for
 * that. `prefix`: of the folder, seen from the top of the work tree.
 */
export async function readStatus(
  folder: string,
  prefix: string,
  settings: GitSettings,
): Promise<StatusEntry[]> {
  const options = ["--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
  const args = ["status", ...options, "--ignore-submodules=dirty", "--", "."];
  const { bytes, trouble } = await runGit(folder, args, settings);
  if (trouble !== undefined) throw new OrderError("failed", `Git failed: ${trouble}`);
  const start = Buffer.from(prefix).toString("latin1");
  return bytes
    .toString("latin1")
    .split("\0")
    .flatMap((line) => parseEntry(line, start));
}

/** How many fields come before the path, by the kind of the line. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 };

function parseEntry(line: string, prefix: string): StatusEntry[] {
  const fields = FIELDS[line[0] ?? ""];
  if (fields === undefined) return [];
  const parts = line.split(" ");
  const path = parts.slice(fields).join(" ");
  if (!path.startsWith(prefix)) return [];
  const [kind, letters = ""] = parts;
  const inside = path.slice(prefix.length);
  if (kind === "?") {
    return [{ path: inside, kind: "untracked", isStaged: false, isUnstaged: true }];
  }
  if (kind === "u") return [{ path: inside, kind: "conflict", isStaged: true, isUnstaged: true }];
  return [
    {
      path: inside,
      kind: "changed",
      isStaged: letters[0] !== ".",
      isUnstaged: letters[1] !== ".",
    },
  ];
}
