import type { Item } from "@signalbox/timeline";

/** Whether an item is a call that has changed this file. */
export function isFileChange(item: Item, path: string): boolean {
  if (item.kind !== "tool" || item.status !== "complete") return false;
  const { payload } = item;
  return payload?.kind === "modify_file" && matchesPath(payload.filePath, path);
}

/** Whether a path of a call is this file's: some are given from the agent's folder on. */
function matchesPath(given: unknown, path: string): boolean {
  if (typeof given !== "string" || given === "") return false; // a long one is cut
  return given.startsWith("/")
    ? given === path
    : path.endsWith(`/${given.replace(/^(?:\.\/)+/, "")}`);
}

/** How the JSON of every item ends a text that ends with the file's name. */
export function getJsonSuffix(path: string): string {
  return JSON.stringify(path.slice(path.lastIndexOf("/") + 1)).slice(1);
}
