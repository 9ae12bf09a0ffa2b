import { execFile } from "node:child_process";
import { resolveRealPath } from "../sandbox/paths.ts";
import { decodeStrictly } from "./decode.ts";
import { findGit } from "./find-git.ts";
import { type GitSettings, inertEnvironment } from "./inert-settings.ts";
import { planGitIsolation } from "./isolate-git.ts";

const LARGEST_OUTPUT = 64 << 20;
const TIMEOUT_MS = 30_000;
const NOT_TEXT = "Git printed a name that is not valid UTF-8";

/** What Git says; undefined when there is no repository, no Git, nothing to say, or no text. */
export async function git(
  folder: string,
  args: readonly string[],
  settings: GitSettings = {},
): Promise<string | undefined> {
  const { output, trouble } = await askGit(folder, args, settings);
  return trouble === undefined ? output : undefined;
}

/** The one line that Git says, such as a path, which may end in spaces. */
export async function gitLine(
  folder: string,
  args: readonly string[],
): Promise<string | undefined> {
  return (await git(folder, args))?.replace(/\n$/, "");
}

/** What Git says, and what it says went wrong. */
export async function askGit(
  folder: string,
  args: readonly string[],
  settings: GitSettings = {},
  writable: readonly string[] = [],
): Promise<{ output: string; trouble?: string }> {
  const { bytes, trouble } = await runGit(folder, args, settings, writable);
  const output = decodeStrictly(bytes);
  if (output === undefined) return { output: "", trouble: trouble ?? NOT_TEXT };
  return { output, ...(trouble !== undefined && { trouble }) };
}

/** The bytes that Git prints, and what it says went wrong. Where Git is isolated it writes in `writable` alone. */
export async function runGit(
  folder: string,
  args: readonly string[],
  settings: GitSettings = {},
  writable: readonly string[] = [],
): Promise<{ bytes: Buffer; trouble?: string }> {
  const { path: program } = findGit();
  const env = inertEnvironment(settings);
  const real = resolveRealPath(folder);
  const around = await planGitIsolation(real, writable);
  if (typeof around === "string") return { bytes: Buffer.alloc(0), trouble: around };
  const [command = program, ...rest] = [...around, program, "-C", real, ...args];
  const options = {
    maxBuffer: LARGEST_OUTPUT,
    timeout: TIMEOUT_MS,
    env,
    encoding: "buffer",
  } as const;
  return new Promise((resolve) => {
    execFile(command, rest, options, (failure, bytes, stderr) => {
      const trouble = failure && (stderr.toString().trim() || failure.message);
      resolve({ bytes, ...(trouble !== null && { trouble }) });
    });
  });
}
