import { spawnSync } from "node:child_process";
import { decodeStrictly, findGit } from "@signalbox/host/git";
import { sha256 } from "../sha256.ts";

/** One setting of a Git configuration file. Git prints section and name in lower case. */
export interface GitSetting {
  readonly key: string;
  /** Undefined if the file contains only the name, which means true. */
  readonly value: string | undefined;
}

/** The settings in a configuration file according to Git; `missing` if there is no Git on this machine. */
type ParsedGitConfig =
  | { readonly kind: "settings"; readonly settings: readonly GitSetting[] }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "missing" };

const MAX_CACHED = 500;
/** A name with other bytes could not be shown, nor be named to Git, which would run what it sets. */
const NOT_TEXT = "it contains a name or a value that is not valid UTF-8";
const cache = new Map<string, ParsedGitConfig>();

/**
 * Lets Git parse the bytes of a configuration file, so that our reading never differs from that of Git. Git reads
 * them from a pipe, so it opens no file and follows no include.
 */
export function parseGitConfig(bytes: Uint8Array): ParsedGitConfig {
  const hash = sha256(bytes);
  const known = cache.get(hash);
  if (known) return known;
  const parsed = askGit(bytes);
  if (parsed.kind === "missing") return parsed;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(hash, parsed);
  return parsed;
}

function askGit(bytes: Uint8Array): ParsedGitConfig {
  const { path, folders } = findGit();
  const { error, status, stdout, stderr } = spawnSync(
    path,
    ["config", "-f", "-", "--no-includes", "-z", "--list"],
    {
      cwd: "/",
      env: { PATH: folders, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C" },
      input: bytes,
      maxBuffer: 64 << 20,
      timeout: 30_000,
    },
  );
  if (error && "code" in error && error.code === "ENOENT") return { kind: "missing" };
  if (error || status !== 0)
    return { kind: "invalid", why: error?.message ?? stderr.toString().trim() };
  const text = decodeStrictly(stdout);
  if (text === undefined) return { kind: "invalid", why: NOT_TEXT };
  const settings = text.split("\0").flatMap((entry): GitSetting[] => {
    if (entry === "") return [];
    const end = entry.indexOf("\n");
    if (end === -1) return [{ key: entry, value: undefined }];
    return [{ key: entry.slice(0, end), value: entry.slice(end + 1) }];
  });
  return { kind: "settings", settings };
}
