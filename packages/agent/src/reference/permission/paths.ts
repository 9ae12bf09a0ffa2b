import { readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { globToRegExp } from "./glob.ts";

/** A path as a person writes it, made absolute. */
export function absolute(path: string, folder: string, home: string = homedir()): string {
  if (path === "~") return home;
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return resolve(folder, path);
}

/** Where a path really leads, with every symbolic link on the way followed, also one to what does not
 * exist yet: writing would make it there. What does not exist lies in the nearest folder that does. */
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

/** Where a link points, seen from the folder that it really lies in. */
export function linkTarget(path: string): string | undefined {
  try {
    return resolve(realpathSync(dirname(path)), readlinkSync(path));
  } catch {
    return undefined; // no link
  }
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** Whether a path is in one of the folders by its name and by where it really leads. */
export function isAllowed(path: string, folders: readonly string[]): boolean {
  const real = realPath(path);
  const roots = folders.flatMap((folder) => [folder, realPath(folder)]);
  return (
    roots.some((root) => isInside(resolve(path), root)) &&
    roots.some((root) => isInside(real, root))
  );
}

/** Whether a rule's pattern covers a path: `//` from the root, `~/` from home, `/` from the folder
 * that the rule's settings belong to, anything else at any depth of the working folder. `wholly`: both
 * as the path is named and where it leads; `byName`: wherever it leads; `plainBraces`: `{a,b}` means
 * itself, as it does to Claude Code. */
export function coversPath(
  pattern: string,
  path: string,
  place: { folder: string; root: string; home: string },
  {
    ignoresCase = false,
    wholly = false,
    byName = false,
    plainBraces = false,
  }: { ignoresCase?: boolean; wholly?: boolean; byName?: boolean; plainBraces?: boolean } = {},
): boolean {
  const [named, rest] = anchor(pattern, place);
  const roots = new Set([named, realPath(named)]);
  const isCovered = (one: string) =>
    [...roots].some((from) => {
      if (!isInside(one, from)) return false;
      const way = relative(from, one);
      return variants(rest).some((variant) =>
        globToRegExp(variant, { ignoresCase, plainBraces }).test(way),
      );
    });
  const names = [resolve(path), ...(byName ? [] : [realPath(path)])];
  return wholly ? names.every(isCovered) : names.some(isCovered);
}

function anchor(
  pattern: string,
  { folder, root, home }: { folder: string; root: string; home: string },
): [string, string] {
  if (pattern.startsWith("//")) return ["/", pattern.slice(2)];
  if (pattern.startsWith("~/")) return [home, pattern.slice(2)];
  if (pattern.startsWith("/")) return [root, pattern.slice(1)];
  return [folder, pattern.replace(/^\.\//, "")];
}

/** As in .gitignore: a name without a slash counts at any depth, a folder with all that is in it. */
function variants(pattern: string): string[] {
  const bare = pattern.replace(/\/$/, "");
  const here = bare.includes("/") ? [bare] : [bare, `**/${bare}`];
  return here.flatMap((one) => [one, `${one}/**`]);
}
