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
/** A name and one exact version: nothing that could mean another program tomorrow. */
export const agentPackagePattern =
  /^((?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)@(\d+\.\d+\.\d+(?:-[a-z0-9.-]+)?)$/i;

/** Agents that settings name as an npm package: installed once, each version in a folder of its own. */
export class AgentPackages {
  /** Agents are read from here, also where the rest of the data folder is hidden from them. */
  readonly folder: string;
  readonly #installing = new Map<string, Promise<string>>();

  constructor(dataFolder: string) {
    this.folder = join(dataFolder, "agents");
  }

  /** The program of a package, installed if it is not there. */
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
  return `"${wanted}" names no npm package with one exact version, such as @anthropic-ai/claude-code@2.1.118.`;
}

/** A driver that also takes launches which name a package. */
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
  throw new OrderError("bad-package", `The npm package ${wanted} brings no program.`);
}

/** For our eyes alone, as everything in the data folder; what can be run stays so. */
function restrictPermissions(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const { mode } = lstatSync(path);
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  }
}

/** Runs no script of the package's: it is run as an agent, with an agent's environment, and only then. */
function npmInstall(folder: string, wanted: string): Promise<void> {
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  // Without links: the data folder holds none.
  const args = ["install", "--prefix", folder, ...quiet, "--bin-links=false", wanted];
  const options = { timeout: INSTALL_MS, maxBuffer: 16 << 20, cwd: folder };
  return new Promise((resolve, reject) => {
    execFile("npm", args, options, (failure, _, stderr) => {
      if (!failure) return resolve();
      const said = stderr.trim().split("\n").slice(-3).join(" ") || failure.message;
      reject(new OrderError("not-installed", `npm could not install ${wanted}: ${said}`));
    });
  });
}
