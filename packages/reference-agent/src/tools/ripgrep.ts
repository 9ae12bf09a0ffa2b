import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { ToolFailure } from "../tool.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface Search {
  readonly args: readonly string[];
  /** The folder for patterns of names. */
  readonly folder: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}
interface Printed {
  readonly text: string;
  /**
   * Why the search was stopped: by the timeout or because of too much output. There may be more
   * matches.
   */
  readonly stopped?: "late" | "full";
}

const MAX_BYTES = 20_000_000;
const MAX_SECONDS = 20;
/** Ignores the user's configuration, and does not report files that cannot be read. */
const QUIET = ["--no-config", "--no-messages", "--no-ignore-messages"];
const NAME = process.platform === "win32" ? "rg.exe" : "rg";

/**
 * Runs ripgrep. Its time grows linearly with its input, whatever the expression is; anything that
 * still blocks it (a pipe, a network folder) is ended by the timeout.
 */
export async function ripgrep(search: Search): Promise<Printed> {
  const seconds = Number(search.environment["CLAUDE_CODE_GLOB_TIMEOUT_SECONDS"]) || MAX_SECONDS;
  const program = await programFor(search.environment);
  const first = await run(program, search, seconds);
  const ended = lacksThreads(first)
    ? await run(program, { ...search, args: ["-j", "1", ...search.args] }, seconds)
    : first;
  if (ended.code === 2 && ended.text === "" && ended.errors !== "") {
    throw new ToolFailure(
      `Search failed — ripgrep rejected the pattern, glob, or file type without searching:\n${ended.errors.trim().slice(0, 2000)}`,
    );
  }
  if (ended.stopped && ended.text === "") {
    throw new ToolFailure(
      `The search was stopped after ${seconds} seconds and had found nothing until then; there may be matches. Search a more specific path or pattern.`,
    );
  }
  return ended;
}

interface Ended extends Printed {
  readonly errors: string;
  readonly code: number | null;
}

async function run(
  program: string,
  { args, folder, environment, signal }: Search,
  seconds: number,
): Promise<Ended> {
  const late = AbortSignal.timeout(seconds * 1000);
  const child = spawn(program, [...QUIET, ...args], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const stop = () => void child.kill("SIGKILL"); // It has nothing to clean up.
  const until = AbortSignal.any([signal, late]);
  until.addEventListener("abort", stop);
  if (until.aborted) stop();
  const decoder = new StringDecoder("utf8");
  let [text, errors, bytes] = ["", "", 0];
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) stop();
    else text += decoder.write(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (errors.length < 100_000) errors += chunk.toString("utf8");
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal.throwIfAborted();
    if (bytes > MAX_BYTES) return { text, errors, code, stopped: "full" };
    return { text, errors, code, ...(late.aborted && code === null ? { stopped: "late" } : {}) };
  } catch (cause) {
    signal.throwIfAborted();
    throw new ToolFailure(
      `ripgrep could not be started, so nothing was searched: ${(cause as Error).message}`,
    );
  } finally {
    until.removeEventListener("abort", stop);
  }
}

/** Whether ripgrep failed because the machine allows no more threads. It then runs with one. */
function lacksThreads({ code, text, errors }: Ended): boolean {
  return code !== 0 && text === "" && /os error 11\b|temporarily unavailable/.test(errors);
}

/**
 * Chooses the ripgrep of this package, so that an expression means the same on every machine. The
 * machine's own is used on platforms without one, or on request.
 */
async function programFor(environment: Environment): Promise<string> {
  const own = environment["USE_BUILTIN_RIPGREP"];
  const packaged = own === "0" || own === "false" ? undefined : await findPackaged();
  const program = packaged ?? (await findOnPath(environment["PATH"] ?? ""));
  if (program !== undefined) return program;
  throw new ToolFailure(
    "There is no ripgrep here, so nothing was searched: the optional packages of @vscode/ripgrep were not installed, and none is on PATH. Install one of them.",
  );
}

async function findPackaged(): Promise<string | undefined> {
  return import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined, // There is none for this platform.
  );
}

/** Finds an absolute path, and ignores relative folders in PATH. */
async function findOnPath(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const program = join(folder, NAME);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}
