import type { Item } from "@signalbox/timeline";

/** Whether an item is a tool call that has changed this file. */
export function isFileChange(item: Item, path: string): boolean {
  if (item.kind !== "tool" || item.status !== "complete") return false;
  const { payload } = item;
  return payload?.kind === "modify_file" && matchesPath(payload.filePath, path);
}

/** Whether a path that a call names is this file's. Some calls give paths relative to the agent's folder. */
function matchesPath(given: unknown, path: string): boolean {
  // A path that was too long is stored truncated, and not as a string.
  if (typeof given !== "string" || given === "") return false;
  return given.startsWith("/")
    ? given === path
    : path.endsWith(`/${given.replace(/^(?:\.\/)+/, "")}`);
}

/** How a JSON string that ends with this file's name looks at its end, to search stored items for it. */
export function getJsonSuffix(path: string): string {
  return JSON.stringify(path.slice(path.lastIndexOf("/") + 1)).slice(1);
}
