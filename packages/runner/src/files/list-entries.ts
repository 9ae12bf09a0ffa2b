import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FolderEntry, FolderListing } from "@signalbox/api";
import { decodeStrictly, listHiddenFromGit, runGitCommand } from "@signalbox/host/git";
import { openInside } from "@signalbox/host/system";
import { OrderError } from "../supervise/order-error.ts";
import { requireVisiblePath } from "./visible-path.ts";

const MAX_ENTRIES = 2000;

/** What is in a folder below a session's folder. Git's own folder and what is hidden from agents are left out. */
export async function listFolderEntries(root: string, path: string): Promise<FolderListing> {
  const inside = path === "" ? "." : requireVisiblePath(root, path);
  await using folder = await openInside(root, inside);
  if (!folder) throw new OrderError("bad-path", `There is no folder ${path} in this session.`);
  const hidden = listHiddenFromGit();
  // One character per byte, because a name may hold any.
  const found = await readdir(folder.path, { withFileTypes: true, encoding: "latin1" });
  const entries = found
    .map((entry) => ({ ...nameEntry(entry.name), kind: readKind(entry) }))
    .filter(({ name }) => name !== ".git" && !hidden.includes(join(folder.realPath, name)))
    .toSorted(
      (a, b) =>
        Number(b.kind === "folder") - Number(a.kind === "folder") ||
        (a.name < b.name ? -1 : Number(a.name > b.name)),
    );
  const listed = entries.slice(0, MAX_ENTRIES);
  const ignored = await findIgnored(root, inside, listed);
  return {
    entries: listed.map((entry) => (ignored.has(entry.name) ? { ...entry, ignored: true } : entry)),
    more: entries.length - listed.length,
  };
}

function nameEntry(bytes: string): Pick<FolderEntry, "name" | "unreadableName"> {
  const name = decodeStrictly(Buffer.from(bytes, "latin1"));
  if (name !== undefined) return { name };
  const shown = bytes.replaceAll(
    /[\u0080-\u00FF]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16)}`,
  );
  return { name: shown, unreadableName: true };
}

type FoundEntry = Record<"isDirectory" | "isFile" | "isSymbolicLink", () => boolean>;

function readKind(entry: FoundEntry): FolderEntry["kind"] {
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  return entry.isFile() ? "file" : "other";
}

/** The names that Git ignores; none outside of a repository. */
async function findIgnored(
  root: string,
  inside: string,
  entries: readonly FolderEntry[],
): Promise<ReadonlySet<string>> {
  const named = entries.filter((entry) => !entry.unreadableName);
  const paths = new Map(
    named.map(({ name, kind }) => [join(inside, name) + (kind === "folder" ? "/" : ""), name]),
  );
  if (paths.size === 0) return new Set();
  const input = [...paths.keys()].join("\0");
  const { bytes } = await runGitCommand(root, ["check-ignore", "-z", "--stdin"], { input });
  const printed = bytes.toString().split("\0");
  return new Set(printed.flatMap((path) => paths.get(path) ?? []));
}
