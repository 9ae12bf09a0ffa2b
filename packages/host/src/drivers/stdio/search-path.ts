import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where version managers and installers put programs. `*` stands for every folder of that level. */
const installPlaces = [
  ".claude/local",
  ".local/bin",
  ".nvm/versions/node/*/bin",
  ".fnm/aliases/default/bin",
  ".local/share/fnm/aliases/default/bin",
  ".volta/bin",
  ".bun/bin",
  ".npm-global/bin",
  ".asdf/shims",
  ".local/share/mise/shims",
  ".local/share/pnpm",
];
const systemPlaces = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin"];

/**
 * The caller's PATH first, so that the user's own choice holds, and after it the usual install
 * places that exist: a hub started by a desktop or by systemd has hardly any PATH.
 */
export function extendSearchPath(from: Environment): string {
  const own = (from["PATH"] ?? "").split(delimiter);
  const home = from["HOME"];
  const usual = home ? installPlaces.flatMap((place) => expand(home, place.split("/"))) : [];
  const found = [...usual, ...systemPlaces].filter((folder) => existsSync(folder));
  return [...new Set([...own, ...found])].filter((folder) => folder !== "").join(delimiter);
}

function expand(base: string, [step, ...rest]: string[]): string[] {
  if (step === undefined) return [base];
  if (step !== "*") return expand(join(base, step), rest);
  return foldersIn(base).flatMap((name) => expand(join(base, name), rest));
}

/** Newest first, so that of several Node versions the newest one's programs are found. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
  } catch {
    return [];
  }
}
