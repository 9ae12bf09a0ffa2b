import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { CommitHooks } from "@signalbox/api";
import { decodeStrictly, type GitSettings, listHiddenFromGit, runGit } from "@signalbox/host/git";
import { isExecutable } from "@signalbox/host/system";
import { hashReferencedFiles } from "../trust/referenced-files.ts";
import { isHidden } from "./open-visible.ts";

/** The hooks that Git runs for a commit. */
const names = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-rewrite",
  "reference-transaction",
  "post-index-change",
] as const;
const MAX_BYTES = 4 << 20;
const MAX_SHOWN = 64 << 10;

/** The hooks of a repository for commits, and the folder that they are in. */
export interface FoundHooks extends Omit<CommitHooks, "trusted"> {
  readonly folder: string;
  /** Whether each of them could be read. One that could not never runs. */
  readonly isReadable: boolean;
}

interface HookPlace {
  readonly folder: string;
  readonly top: string;
  readonly common: string;
}

/**
 * Finds what Git would run for a commit. A hook that the configuration itself defines (Git 2.54) is not among
 * them, and stays off.
 */
export async function findCommitHooks(place: HookPlace): Promise<FoundHooks | undefined> {
  const folder = await findHooksFolder(place);
  if (folder === undefined || isHidden(folder, listHiddenFromGit())) return undefined;
  const present = names.filter((name) => isExecutable(join(folder, name)));
  if (present.length === 0) return undefined;
  const hash = createHash("sha256");
  let isReadable = true;
  const files = present.map((name) => {
    const path = join(folder, name);
    const bytes = readHook(path);
    if (!bytes) isReadable = false;
    const text = bytes && decodeStrictly(bytes);
    // A changed program that a hook names is another hook.
    const named = bytes ? hashReferencedFiles(place.top, bytes.toString()) : {};
    const content = bytes ? createHash("sha256").update(bytes).digest("hex") : crypto.randomUUID();
    hash.update(JSON.stringify([path, content, named]));
    const shown = (text ?? bytes?.toString("latin1") ?? "").slice(0, MAX_SHOWN);
    return { name, path, text: shown, cut: text === undefined || text.length > MAX_SHOWN };
  });
  return { folder, files, hash: hash.digest("hex"), isReadable };
}

/** Settings with which Git runs these hooks and nothing else. */
export function createHookSettings({ folder, files }: FoundHooks): GitSettings {
  const enabled = files.map(({ name }) => [`hook.${name}.enabled`, "true"]);
  return { "core.hooksPath": folder, ...Object.fromEntries(enabled) };
}

/** Undefined if it is not a file that can be read whole. */
function readHook(path: string): Buffer | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

async function findHooksFolder({ folder, top, common }: HookPlace): Promise<string | undefined> {
  const list = ["config", "--list", "--includes", "--show-scope", "-z"];
  const { bytes, trouble } = await runGit(folder, list);
  if (trouble !== undefined) return undefined;
  const fields = bytes.toString("latin1").split("\0");
  let named: string | undefined;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = "", setting = ""] = fields.slice(at, at + 2);
    if (scope === "command") continue; // what turns programs off
    const [, value] = /^core\.hookspath\n([^]*)$/.exec(setting) ?? [];
    if (value !== undefined) named = value;
  }
  if (named === undefined) return join(common, "hooks");
  const path = decodeStrictly(Buffer.from(named, "latin1"));
  if (path === undefined || /^(?:~[^/]|%\()/.test(path)) return undefined;
  if (path.startsWith("~")) return join(process.env["HOME"] ?? homedir(), path.slice(1));
  return isAbsolute(path) ? path : join(top, path);
}
