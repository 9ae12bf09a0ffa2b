import { decodeStrictly, gitLine, type GitSettings, runGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";

/** What `git status` says of a path, as the bytes of its name from the folder (one character for each byte). */
interface StatusEntry {
  readonly path: string;
  readonly kind: "changed" | "conflict" | "untracked";
  readonly isStaged: boolean;
  readonly isUnstaged: boolean;
}

/** What `git status` says of a work tree. */
export interface Status {
  /** The branch; null for a detached head. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
  readonly entries: readonly StatusEntry[];
}

/**
 * Asks Git once what differs between the last commit, the index and the files, because it looks at every file for
 * that. `prefix`: of the folder, seen from the top of the work tree.
 */
export async function readStatus(
  folder: string,
  prefix: string,
  settings: GitSettings,
): Promise<Status> {
  const options = ["--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"];
  const args = ["status", ...options, "--ignore-submodules=dirty", "--", "."];
  const { bytes, trouble } = await runGit(folder, args, settings);
  if (trouble !== undefined) throw new OrderError("failed", `Git failed: ${trouble}`);
  const start = Buffer.from(prefix).toString("latin1");
  const lines = bytes.toString("latin1").split("\0");
  const head = findHeader(lines, "branch.oid");
  return {
    branch: await readBranch(folder, findHeader(lines, "branch.head")),
    head: head === undefined || head === "(initial)" ? null : head,
    entries: lines.flatMap((line) => parseEntry(line, start)),
  };
}

function findHeader(lines: readonly string[], name: string): string | undefined {
  const start = `# ${name} `;
  return lines.find((line) => line.startsWith(start))?.slice(start.length);
}

/** The name of the branch. A branch can have the name by which Git says that there is none. */
async function readBranch(folder: string, name: string | undefined): Promise<string | null> {
  if (name !== undefined && name !== "(detached)") {
    return decodeStrictly(Buffer.from(name, "latin1")) ?? null;
  }
  const found = await gitLine(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  return found === undefined || found === "" ? null : found;
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
