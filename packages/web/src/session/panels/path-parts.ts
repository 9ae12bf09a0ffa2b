/** A path's folders with the slash after them, and the name behind it. */
export function partsOf(path: string): { readonly folder: string; readonly name: string } {
  const cut = path.lastIndexOf("/") + 1;
  return { folder: path.slice(0, cut), name: path.slice(cut) };
}
