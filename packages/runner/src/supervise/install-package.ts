import { isExecutable } from "@signalbox/host/system";
import { execFile } from "node:child_process";
import { delimiter, isAbsolute, join } from "node:path";
import { agentEnvironment } from "@signalbox/host/agents";
import { type Isolation, systemFolders } from "@signalbox/host/isolation";
import { OrderError } from "./order-error.ts";

const INSTALL_MS = 5 * 60_000;
/** Where npm finds the folder of the package: /dev is a folder of each isolated process's own. */
const FOLDER_INSIDE = "/dev/signalbox-package";
/** The settings of npm's own and the tokens of registries, which agents are not given. */
const npmVariable = /^(npm_|NPM_|NODE_AUTH_TOKEN$)/;

export interface InstallOptions {
  readonly isolation: Isolation;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where npm is looked for first; tests name others. */
  readonly systemFolders?: readonly string[];
}

/**
 * Installs a package without running its scripts: its code only runs as an agent, with an agent's environment.
 * npm is isolated as an agent is, because agents may write where programs of this user are usually installed.
 */
export async function installPackage(
  folder: string,
  wanted: string,
  options: InstallOptions,
): Promise<void> {
  const { isolation } = options;
  const env = createEnvironment(options);
  const work = { path: folder, inside: FOLDER_INSIDE };
  const plan = await isolation.plan({ folder: "/" }, "/", env, work);
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  // Without links, because the data folder contains no links.
  const prefix = ["--prefix", plan.hasNamespace ? work.inside : folder];
  const args = ["install", ...prefix, ...quiet, "--bin-links=false", wanted];
  const npm = plan.wrap({ command: findNpm(env["PATH"] ?? ""), args, env });
  const child = { timeout: INSTALL_MS, maxBuffer: 16 << 20, cwd: folder, env: npm.env };
  try {
    await new Promise<void>((resolve, reject) => {
      execFile(npm.command, npm.args, child, (failure, _, stderr) => {
        if (!failure) return resolve();
        const output = stderr.trim().split("\n").slice(-3).join(" ") || failure.message;
        reject(new OrderError("not-installed", `Couldn't install ${wanted} with npm: ${output}`));
      });
    });
  } finally {
    plan.release();
  }
}

function createEnvironment(options: InstallOptions): Record<string, string> {
  const { environment, systemFolders: first = systemFolders } = options;
  const ofNpm = Object.entries(environment).filter(
    (entry): entry is [string, string] => npmVariable.test(entry[0]) && entry[1] !== undefined,
  );
  const env = agentEnvironment(environment, Object.fromEntries(ofNpm));
  // System folders come first: an agent can put a program of that name into the user's own folders.
  const own = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return { ...env, PATH: [...new Set([...first, ...own])].join(delimiter) };
}

function findNpm(path: string): string {
  return (
    path
      .split(delimiter)
      .map((folder) => join(folder, "npm"))
      .find(isExecutable) ?? "npm"
  );
}
