/** The last part of a path: what people call a folder by. */
export function nameOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) || path;
}

/** A path cut in its middle, so that its start and its end can be read. */
export function cutPath(path: string, most: number): string {
  if (path.length <= most) return path;
  const end = Math.ceil((most - 1) * 0.65);
  return `${path.slice(0, most - 1 - end)}…${path.slice(-end)}`;
}

/** As people write it: their home as `~`. */
export function short(path: string): string {
  return path.replace(/^\/(?:home|Users)\/[^/]+(?=\/|$)|^\/root(?=\/|$)/, "~");
}

/** A path as seen from the session's folder. */
export function within(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
