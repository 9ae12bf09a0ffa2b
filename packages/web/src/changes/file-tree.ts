import type { ChangedFile } from "@signalbox/api";
import { addCounts, type LineTotals } from "./line-totals.ts";

export type TreeRow =
  | {
      readonly kind: "folder";
      /** With a slash at its end. */
      readonly path: string;
      /** Folders that hold nothing else are one row with the folder in them. */
      readonly name: string;
      readonly depth: number;
      readonly isOpen: boolean;
      readonly files: number;
      readonly totals: LineTotals;
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      readonly file: ChangedFile;
    };

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: { readonly name: string; readonly file: ChangedFile }[];
}

/** Changed files as the rows of a tree: folders first, then files, each by name. */
export function buildTree(files: readonly ChangedFile[], closed: ReadonlySet<string>): TreeRow[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const parts = file.path.split("/");
    const name = parts.pop() ?? file.path;
    let folder = root;
    for (const part of parts) {
      const inside = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, inside);
      folder = inside;
    }
    folder.files.push({ name, file });
  }
  return listRows(root, "", 0, closed);
}

function listRows(
  folder: Folder,
  path: string,
  depth: number,
  closed: ReadonlySet<string>,
): TreeRow[] {
  const rows: TreeRow[] = [];
  for (const [first, inside] of sortByName([...folder.folders])) {
    const { name, folder: whole } = joinSingleFolders(first, inside);
    const own = `${path}${name}/`;
    const isOpen = !closed.has(own);
    const all = listFiles(whole);
    rows.push({
      kind: "folder",
      path: own,
      name,
      depth,
      isOpen,
      files: all.length,
      totals: addCounts(all),
    });
    if (isOpen) rows.push(...listRows(whole, own, depth + 1, closed));
  }
  for (const { name, file } of folder.files.toSorted((a, b) => compare(a.name, b.name))) {
    rows.push({ kind: "file", path: file.path, name, depth, file });
  }
  return rows;
}

function joinSingleFolders(name: string, folder: Folder): { name: string; folder: Folder } {
  const [only] = folder.folders;
  if (!only || folder.folders.size > 1 || folder.files.length > 0) return { name, folder };
  return joinSingleFolders(`${name}/${only[0]}`, only[1]);
}

function listFiles(folder: Folder): ChangedFile[] {
  return [
    ...[...folder.folders.values()].flatMap(listFiles),
    ...folder.files.map(({ file }) => file),
  ];
}

function sortByName<T>(entries: readonly [string, T][]): readonly [string, T][] {
  return entries.toSorted(([a], [b]) => compare(a, b));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The files in the order of the whole tree, in which their changes are read. */
export function orderFiles(files: readonly ChangedFile[]): ChangedFile[] {
  return buildTree(files, new Set()).flatMap((row) => (row.kind === "file" ? [row.file] : []));
}
