import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { Driver } from "@signalbox/host";
import { OrderError } from "./order-error.ts";

const INSTALL_MS = 5 * 60_000;
/** A package name with one exact version, so that it always means the same program. */
export const agentPackagePattern =
  /^((?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)@(\d+\.\d+\.\d+(?:-[a-z0-9.-]+)?)$/i;

/** Installs agents that settings name as npm packages, each version once in its own folder. */
export class AgentPackages {
  /** Agents can read this folder, although the rest of the data folder is hidden from them. */
  readonly folder: string;
  readonly #installing = new Map<string, Promise<string>>();

  constructor(dataFolder: string) {
    this.folder = join(dataFolder, "agents");
  }

  /** Returns the program of a package and installs the package if necessary. */
  resolveProgram(wanted: string): Promise<string> {
    const running = this.#installing.get(wanted);
    if (running) return running;
    const installed = this.#install(wanted).finally(() => this.#installing.delete(wanted));
    this.#installing.set(wanted, installed);
    return installed;
  }

  async #install(wanted: string): Promise<string> {
    const [, name] = agentPackagePattern.exec(wanted) ?? [];
    if (name === undefined) throw new OrderError("bad-package", describeInvalidPackage(wanted));
    const place = join(this.folder, createHash("sha256").update(wanted).digest("hex").slice(0, 24));
    if (!existsSync(place)) {
      const half = `${place}.${crypto.randomUUID()}`;
      mkdirSync(half, { recursive: true, mode: 0o700 });
      try {
        await npmInstall(half, wanted);
        restrictPermissions(half);
        renameSync(half, place);
      } finally {
        rmSync(half, { recursive: true, force: true });
      }
    }
    return findProgram(join(place, "node_modules", name), wanted);
  }
}

export function describeInvalidPackage(wanted: string): string {
  return `"${wanted}" is not an npm package with an exact version, such as @anthropic-ai/claude-code@2.1.118.`;
}

/** Wraps a driver so that it accepts launches that name a package. */
export function withInstalledPackages(driver: Driver, packages: AgentPackages): Driver {
  return {
    ...driver,
    start: async ({ agentPackage, ...launch }) => {
      if (agentPackage === undefined) return driver.start(launch);
      return driver.start({ ...launch, agentPath: await packages.resolveProgram(agentPackage) });
    },
  };
}

function findProgram(folder: string, wanted: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin?: string | Record<string, string>;
  };
  const file = typeof bin === "string" ? bin : Object.values(bin ?? {})[0];
  if (file !== undefined) return join(folder, file);
  throw new OrderError("bad-package", `The npm package ${wanted} contains no program.`);
}

/** Removes all permissions of other users, as everywhere in the data folder, and keeps files executable. */
function restrictPermissions(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const { mode } = lstatSync(path);
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  }
}

/** Installs without running scripts of the package: its code only runs as an agent, with an agent's environment. */
function npmInstall(folder: string, wanted: string): Promise<void> {
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  // Without links, because the data folder contains no links.
  const args = ["install", "--prefix", folder, ...quiet, "--bin-links=false", wanted];
  const options = { timeout: INSTALL_MS, maxBuffer: 16 << 20, cwd: folder };
  return new Promise((resolve, reject) => {
    execFile("npm", args, options, (failure, _, stderr) => {
      if (!failure) return resolve();
      const output = stderr.trim().split("\n").slice(-3).join(" ") || failure.message;
      reject(new OrderError("not-installed", `Couldn't install ${wanted} with npm: ${output}`));
    });
  });
}
