/** The last part of a path: what people call a folder by. */
export function nameOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) || path;
}

/** As people write it: their home as `~`. */
export function short(path: string): string {
  return path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)|^\/root(?=\/|$)/, "~");
}

/** A path as seen from the session's folder. */
export function within(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
