/** The last part of a path: what people call a folder by. */
export function baseName(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) || path;
}

/** A path with the home folder written as `~`. */
export function abbreviateHome(path: string): string {
  return path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)|^\/root(?=\/|$)/, "~");
}

/** A path relative to a folder, if it is inside that folder; otherwise the path as it is. */
export function relativePath(path: string, folder: string | undefined): string {
  return folder !== undefined && path.startsWith(`${folder}/`)
    ? path.slice(folder.length + 1)
    : path;
}

/** How many characters at the end of a path are never cut. */
const END = 20;

/** Splits a path into its end, which begins at a slash if possible and is always shown, and what comes before. */
export function splitPath(path: string): { readonly start: string; readonly end: string } {
  if (path.length <= END) return { start: "", end: path };
  const segments = path.split(/(?=\/)/);
  let end = "";
  for (const segment of segments.toReversed()) {
    if (end !== "" && end.length + segment.length > END) break;
    end = segment + end;
  }
  if (end.length > END) end = path.slice(-END);
  return { start: path.slice(0, path.length - end.length), end };
}
