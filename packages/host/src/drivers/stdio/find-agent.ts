import { isExecutable } from "../../system/is-executable.ts";
import { realpathSync, type Stats, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { createLaunchError } from "../../launch/run-end.ts";
import { runtimeCommand } from "../../system/runtime-command.ts";
import type { Environment } from "./search-path.ts";

/** How to run the agent: a native program, or a script together with what runs it. */
export interface FoundAgent {
  /** The file that was found; the one to name to a person. */
  readonly path: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly via: "named" | "PATH" | "bundled";
}

/**
 * The program to run: the named one, or the first of PATH (with the usual install places), or the
 * one that comes with the Agent SDK.
 */
export function findAgent(named: string | undefined, environment: Environment): FoundAgent {
  // What is relative would be another program in the agent's folder than the one we look at here.
  const path = (environment["PATH"] ?? "").split(delimiter).filter(isOwnChoice).join(delimiter);
  if (named !== undefined) {
    const file = named.includes("/") || isAbsolute(named) ? named : onPath(named, path);
    if (!file) throw createLaunchError("not-found", { looked: path.split(delimiter), named });
    return runnable(usable(resolve(file)), "named", path);
  }
  const installed = onPath("claude", path);
  if (installed) return runnable(installed, "PATH", path);
  const bundled = bundledAgent();
  if (bundled) return runnable(bundled, "bundled", path);
  throw createLaunchError("not-found", {
    looked: [...path.split(delimiter), "the bundled Agent SDK"],
  });
}

/** npm puts the programs of whatever package it runs a script of first in PATH: nobody chose those. */
function isOwnChoice(folder: string): boolean {
  return isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder);
}

/** The Claude Code that `@anthropic-ai/claude-agent-sdk` brings for this platform. */
export function bundledAgent(): string | undefined {
  const here = createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "claude.exe" : "claude";
  try {
    const beside = createRequire(here.resolve("@anthropic-ai/claude-agent-sdk"));
    for (const variant of [platform, `${platform}-musl`]) {
      const found = resolved(beside, `@anthropic-ai/claude-agent-sdk-${variant}/${file}`);
      if (found) return found;
    }
  } catch {
    // The SDK is not installed: then nothing is bundled.
  }
  return undefined;
}

function resolved(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

function onPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => isFile(file) && isExecutable(file));
}

function usable(file: string): string {
  const why = (problem: string) =>
    createLaunchError("not-claude-code", { path: file, why: problem });
  if (!exists(file)) throw createLaunchError("not-found", { looked: [file], named: file });
  if (!isFile(file)) throw why("it is a folder");
  if (!isScript(file) && !isExecutable(file)) throw why("it may not be executed");
  return file;
}

/** Old versions are a script for Node; run under its own name it may lack the executable bit. */
function runnable(file: string, via: FoundAgent["via"], path: string): FoundAgent {
  if (!isScript(file)) return { path: file, command: file, args: [], via };
  const node = onPath("node", path);
  const [command = "", ...options] = node === undefined ? runtimeCommand() : [node];
  return { path: file, command, args: [...options, file], via };
}

function isScript(file: string): boolean {
  return /\.[cm]?js$/.test(realpathSync(file));
}

function exists(file: string): boolean {
  return getStats(file) !== undefined;
}

function isFile(file: string): boolean {
  return getStats(file)?.isFile() ?? false;
}

/** What we may not look at is not there for us: PATH may name folders of another user. */
function getStats(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}
