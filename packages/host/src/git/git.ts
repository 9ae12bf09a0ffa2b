import { execFile } from "node:child_process";
import { resolveRealPath } from "../sandbox/paths.ts";
import { decodeStrictly } from "./decode.ts";
import { findGit } from "./find-git.ts";
import { type GitSettings, inertEnvironment } from "./inert-settings.ts";
import { planGitIsolation } from "./isolate-git.ts";

const LARGEST_OUTPUT = 64 << 20;
const TIMEOUT_MS = 30_000;
const NOT_TEXT = "Git printed a name that is not valid UTF-8";

/**
 * Returns Git's output, or undefined if there is no repository, no Git, no output, or no valid
 * text.
 */
export async function git(
  folder: string,
  args: readonly string[],
  settings: GitSettings = {},
): Promise<string | undefined> {
  const { output, trouble } = await askGit(folder, args, settings);
  return trouble === undefined ? output : undefined;
}

/** Returns the single line that Git prints, such as a path, which may end in spaces. */
export async function gitLine(
  folder: string,
  args: readonly string[],
): Promise<string | undefined> {
  return (await git(folder, args))?.replace(/\n$/, "");
}

/** Git's output, and its error output. */
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

/**
 * Returns the bytes that Git prints, and its error output. Isolated Git can write only in
 * `writable`.
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  settings: GitSettings = {},
  writable: readonly string[] = [],
): Promise<{ bytes: Buffer; trouble?: string }> {
  return runGitCommand(folder, args, { settings, writable });
}

/** How a command of Git runs, beside the folder and its arguments. */
export interface GitCommand {
  readonly settings?: GitSettings | undefined;
  /**
   * Where Git is isolated it writes in these folders alone. `everywhere`: also where the person may write, for the
   * programs that Git starts with the person's trust.
   */
  readonly writable?: readonly string[] | "everywhere" | undefined;
  /** Folders that are hidden from Git otherwise, and in which it may write. */
  readonly exposed?: readonly string[] | undefined;
  /** What Git reads from its standard input. */
  readonly input?: string | Uint8Array | undefined;
  /**
   * The whole environment, in place of one in which Git runs nothing and reaches no network. Only for a repository
   * whose configuration is ours.
   */
  readonly wholeEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Variables in addition to those with which Git runs nothing of the repository. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Whether Git may use the network. */
  readonly network?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxOutput?: number | undefined;
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
}

export interface GitOutput {
  readonly bytes: Buffer;
  /** What went wrong, as Git says it; undefined: nothing. */
  readonly trouble?: string;
  /** The exit code, if Git ran to its end. */
  readonly exitCode?: number;
  /** What Git and the programs that it ran printed beside their output. */
  readonly errors: string;
}

/** Runs a command of Git to its end. Never rejects. */
export async function runGitCommand(
  folder: string,
  args: readonly string[],
  command: GitCommand,
): Promise<GitOutput> {
  const { path: program } = findGit();
  const inert = command.wholeEnvironment ?? inertEnvironment(command.settings);
  const env = { ...inert, ...command.environment };
  const real = resolveRealPath(folder);
  const around = await planGitIsolation(real, command);
  if (typeof around === "string") return { bytes: Buffer.alloc(0), trouble: around, errors: "" };
  const [first = program, ...rest] = [...around, program, "-C", real, ...args];
  const { input, signal } = command;
  const options = {
    maxBuffer: command.maxOutput ?? LARGEST_OUTPUT,
    timeout: command.timeoutMs ?? TIMEOUT_MS,
    env,
    encoding: "buffer",
    ...(signal && { signal }),
  } as const;
  return new Promise((resolve) => {
    const child = execFile(first, rest, options, (failure, bytes, stderr) => {
      const errors = stderr.toString();
      const trouble = failure && (errors.trim() || failure.message);
      const code = failure ? failure.code : 0;
      const exitCode = typeof code === "number" ? { exitCode: code } : {};
      resolve({ bytes, errors, ...exitCode, ...(trouble !== null && { trouble }) });
    });
    if (input === undefined) return;
    child.stdin?.on("error", () => {}); // Git has ended before it read all of it, and says why
    child.stdin?.end(input);
  });
}
