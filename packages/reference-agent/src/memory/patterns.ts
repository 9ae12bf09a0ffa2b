import { globToRegExp } from "../files/glob.ts";

/** Returns the patterns in a rule's `paths`; none if the rule applies everywhere. */
export function getPatterns(paths: string | undefined): string[] {
  const patterns = (paths ?? "")
    .split(/,(?![^{]*\})/)
    .map((one) => one.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .map((one) => one.replace(/\/\*\*$/, ""))
    .filter((one) => one !== "");
  return patterns.every((one) => one === "**") ? [] : patterns;
}

/**
 * Whether a path, or one of its parent folders, matches, as in .gitignore: a pattern without a
 * slash matches at any depth, others from the top.
 */
export function fitsPatterns(patterns: readonly string[], way: string): boolean {
  if (way === "" || way.startsWith("../")) return false;
  const names = way.split("/");
  const places = names.map((_, index) => names.slice(0, index + 1).join("/"));
  let fits = false;
  for (const pattern of patterns) {
    const isExcept = pattern.startsWith("!");
    const body = (isExcept ? pattern.slice(1) : pattern).replace(/\/$/, "");
    const glob = body.includes("/") ? body.replace(/^\//, "") : `**/${body}`;
    const test = globToRegExp(glob);
    if (places.some((place) => test.test(place))) fits = !isExcept;
  }
  return fits;
}
