import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { globToRegExp } from "./glob.ts";

/** Makes a path as a person writes it absolute. */
export function absolute(path: string, folder: string, home: string = homedir()): string {
  if (path === "~") return home;
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return resolve(folder, path);
}

/**
 * Resolves a path with every symbolic link on the way, including links to files that do not exist,
 * because writing would create them there. A missing file lies in the nearest folder that exists.
 */
export function realPath(path: string, hops = 40): string {
  const missing: string[] = [];
  let at = resolve(path);
  for (;;) {
    try {
      return join(realpathSync(at), ...missing);
    } catch {
      const target = hops > 0 ? linkTarget(at) : undefined;
      if (target !== undefined) return realPath(join(target, ...missing), hops - 1);
      const above = dirname(at);
      if (above === at) return resolve(path);
      missing.unshift(basename(at));
      at = above;
    }
  }
}

/** Returns the target of a link, relative to the real folder of the link. */
export function linkTarget(path: string): string | undefined {
  try {
    return resolve(realpathSync(dirname(path)), readlinkSync(path));
  } catch {
    return undefined; // This is not a link.
  }
}

/** Whether links on the way form a cycle. */
export function isCircular(path: string): boolean {
  try {
    realpathSync(path);
    return false;
  } catch (cause) {
    return (cause as { code?: string }).code === "ELOOP";
  }
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** Whether a path is in one of the folders, both by its name and by its real path. */
export function isAllowed(path: string, folders: readonly string[]): boolean {
  const real = realPath(path);
  const roots = folders.flatMap((folder) => [folder, realPath(folder)]);
  return (
    roots.some((root) => isInside(resolve(path), root)) &&
    roots.some((root) => isInside(real, root))
  );
}

/**
 * Whether a rule's pattern covers a path: `//` begins at the root, `~/` at home, `/` at the folder
 * of the rule's settings, and anything else matches at any depth of the working folder. With
 * `allows`, the name and the real path must both match, in Claude Code's reading of the pattern; a
 * rule that stops a call counts in every reading. With `byName`, the real path does not matter.
 */
export function coversPath(
  pattern: string,
  path: string,
  place: Place,
  {
    ignoresCase = false,
    allows = false,
    byName = false,
  }: { ignoresCase?: boolean; allows?: boolean; byName?: boolean } = {},
): boolean {
  const { from: named, rest, atTop } = anchor(pattern, place);
  if (allows && rest.startsWith("#")) return false; // In .gitignore this is a comment.
  const forms = variants(rest, atTop);
  if (!allows) forms.push(...variants(withoutRest(rest), atTop));
  const readings = allows ? [true] : [true, false];
  const tests = forms.flatMap((form) =>
    readings.map((plain) => globToRegExp(form, { ignoresCase, plain })),
  );
  const roots = new Set([named, realPath(named)]);
  const isCovered = (one: string) =>
    [...roots].some((from) => {
      if (!isInside(one, from)) return false;
      const way = relative(from, one);
      return tests.some((test) => test.test(way));
    });
  const names = [resolve(path), ...(byName ? [] : [realPath(path)])];
  return allows ? names.every(isCovered) : names.some(isCovered);
}

interface Place {
  readonly folder: string;
  readonly root: string;
  readonly home: string;
}

/** Returns the folder where a pattern begins. */
export const getAnchor = (pattern: string, place: Place): string => anchor(pattern, place).from;

/** Removes `/**`, because `x/**` covers the folder `x` too. */
const withoutRest = (pattern: string): string => pattern.replace(/\/\*\*$/, "");

function anchor(
  pattern: string,
  { folder, root, home }: Place,
): { from: string; rest: string; atTop: boolean } {
  const top = { atTop: true };
  if (pattern.startsWith("//")) return { from: "/", rest: pattern.slice(2), ...top };
  if (pattern.startsWith("~/")) return { from: home, rest: pattern.slice(2), ...top };
  if (pattern.startsWith("/")) return { from: root, rest: pattern.slice(1), ...top };
  return { from: folder, rest: pattern.replace(/^\.\//, ""), atTop: false };
}

/**
 * Expands a pattern as .gitignore does: a name without a slash matches at any depth unless it was
 * anchored, and a folder includes everything in it.
 */
function variants(pattern: string, atTop: boolean): string[] {
  const bare = pattern.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  const here = atTop || bare.includes("/") ? [bare, withoutRest(bare)] : [bare, `**/${bare}`];
  return here.flatMap((one) => [one, `${one}/**`]);
}
