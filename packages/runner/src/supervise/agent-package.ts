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
import { isAbsolute, join, normalize } from "node:path";
import type { Driver } from "@signalbox/host";
import { installPackage, type InstallOptions } from "./install-package.ts";
import { OrderError } from "./order-error.ts";

/** A package name with one exact version, so that it always means the same program. */
export const agentPackagePattern =
  /^((?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)@(\d+\.\d+\.\d+(?:-[a-z0-9.-]+)?)$/i;

/** Installs agents that settings name as npm packages, each version once in its own folder. */
export class AgentPackages {
  /** Agents can read this folder of the data folder, which is hidden from them otherwise. */
  readonly folder: string;
  readonly #options: InstallOptions;
  readonly #installing = new Map<string, Promise<string>>();

  constructor(folder: string, options: InstallOptions) {
    this.folder = folder;
    this.#options = options;
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
        await installPackage(half, wanted, this.#options);
        restrictPermissions(half, wanted);
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
  const isInside = file !== undefined && !isAbsolute(file) && !normalize(file).startsWith("..");
  if (isInside) return join(folder, file);
  throw new OrderError("bad-package", `The npm package ${wanted} contains no program.`);
}

/**
 * Removes all permissions of other users, as everywhere in the data folder, and keeps files executable. Refuses
 * links and devices, which the data folder never contains and which could lead out of it.
 */
function restrictPermissions(folder: string, wanted: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    if (!stats.isFile() && !stats.isDirectory()) {
      const detail = `The npm package ${wanted} contains ${name}, which is neither a file nor a folder.`;
      throw new OrderError("bad-package", detail);
    }
    const { mode } = stats;
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  }
}
