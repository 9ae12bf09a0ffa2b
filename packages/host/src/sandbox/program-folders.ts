import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isWithin } from "./paths.ts";

/**
 * Lists the folders of Signalbox's own program and its packages: an agent that could change it
 * would run outside of the isolation at the next start of a hub, a runner or a command. `from` is a
 * file of the program.
 */
export function programFolders(
  from: string = fileURLToPath(import.meta.url),
  runtime: string = process.execPath,
): string[] {
  const packages = `${sep}node_modules${sep}@signalbox${sep}`;
  const real = realpathSync(from);
  const at = real.lastIndexOf(packages);
  const program = at < 0 ? findCheckout(real) : installation(real.slice(0, at));
  const all = [program, existsSync(runtime) ? realpathSync(runtime) : undefined];
  const found = all.filter((path) => path !== undefined);
  return found.filter((path) => !found.some((other) => other !== path && isWithin(other, path)));
}

/** The folders of the program that an agent may not write, unless it works in them or around them. */
export function guardedProgramFolders(
  folders: readonly string[],
  program: readonly string[] = programFolders(),
): { readonly guarded: string[]; readonly isOpen: boolean } {
  const guarded = program.filter(
    (path) => !folders.some((folder) => isWithin(folder, path) || isWithin(path, folder)),
  );
  return { guarded, isOpen: guarded.length < program.length };
}

/** The packages are in a folder of their own, or below the package of the command. */
function installation(parent: string): string {
  const above = dirname(parent);
  return basename(above) === "node_modules" ? parent : join(parent, "node_modules");
}

/** Matches `packages/host/src/sandbox` of a clone, or `dist` in place of `src`. */
function findCheckout(file: string): string | undefined {
  const root = join(dirname(file), "../../../..");
  return existsSync(join(root, "packages")) ? root : undefined;
}
