import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "./packages.ts";

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program, also one of `node_modules/.bin`, and returns what it printed. Throws when it fails. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd = root, env = process.env }: RunOptions = {},
): Promise<string> {
  const PATH = [join(root, "node_modules/.bin"), env["PATH"]].join(delimiter);
  const child = spawn(program, args, {
    cwd,
    env: { ...env, PATH },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "close") as Promise<[number | null, string | null]>;
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exited,
  ]);
  if (code === 0) return stdout;
  const end = signal === null ? `exit code ${code}` : `signal ${signal}`;
  throw new Error(`${[program, ...args].join(" ")} failed (${end}):\n${stdout}${stderr}`);
}
