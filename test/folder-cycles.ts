import { posix } from "node:path";
import { readImports } from "./read-imports.ts";
import type { SourceFile } from "./violations.ts";

/** The imports from the files of one folder to the files of others: folder → target folder → one example. */
type FolderGraph = Map<string, Map<string, string>>;

/**
 * The groups of folders that import each other in a circle, each described by one import per edge. Every
 * folder counts by itself, so a folder may not import from one of its subfolders that imports from it. A
 * file directly in `src` belongs to no folder and counts by itself, such as an index that imports all others.
 * With `ignoreTypes`, imports of types alone do not count.
 */
export function findFolderCycles(
  files: readonly SourceFile[],
  { ignoreTypes = false }: { ignoreTypes?: boolean } = {},
): string[][] {
  const graph = buildGraph(files, ignoreTypes);
  return findCircularGroups(graph).map((folders) =>
    folders.flatMap((from) =>
      [...(graph.get(from) ?? [])]
        .filter(([to]) => folders.includes(to))
        .map(([, example]) => example),
    ),
  );
}

function buildGraph(files: readonly SourceFile[], ignoreTypes: boolean): FolderGraph {
  const graph: FolderGraph = new Map();
  for (const { path, text } of files) {
    const from = getNode(path);
    const targets = graph.get(from) ?? new Map<string, string>();
    graph.set(from, targets);
    for (const { specifier, typeOnly } of readImports(path, text)) {
      if (!specifier.startsWith(".") || (ignoreTypes && typeOnly)) continue;
      const target = posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ""));
      const to = getNode(target);
      if (to !== from && !targets.has(to)) targets.set(to, `${path} imports ${target}`);
    }
  }
  return graph;
}

function getNode(path: string): string {
  const folder = posix.dirname(path);
  return folder.endsWith("/src") ? path : folder;
}

/** Strongly connected components of more than one folder (Tarjan's algorithm). */
function findCircularGroups(graph: FolderGraph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (folder: string) => {
    order.set(folder, order.size);
    lowest.set(folder, order.size - 1);
    stack.push(folder);
    for (const next of graph.get(folder)?.keys() ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) {
        lowest.set(folder, Math.min(lowest.get(folder) ?? 0, lowest.get(next) ?? 0));
      }
    }
    if (lowest.get(folder) !== order.get(folder)) return;
    const group = stack.splice(stack.indexOf(folder));
    if (group.length > 1) groups.push(group);
  };
  for (const folder of graph.keys()) if (!order.has(folder)) visit(folder);
  return groups;
}
