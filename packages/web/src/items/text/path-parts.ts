/** As much of a path's end as is kept whole for as long as possible. */
const END = 20;

/** A path in two: the end that says most, from a slash on where there is one, and what stands before it. */
export function pathParts(path: string): { readonly start: string; readonly end: string } {
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
