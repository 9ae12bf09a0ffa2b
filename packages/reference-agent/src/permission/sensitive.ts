import { basename, join, relative, resolve } from "node:path";
import { isInside } from "../files/paths.ts";
import type { PermissionSettings } from "./state.ts";

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Folders whose files may cause a repository or an editor to run something. */
const folders = list(".git .vscode .idea .claude .husky .cargo .devcontainer .yarn .mvn");
/** Files that may cause a shell or a tool to run something. */
const files = list(
  ".gitconfig .gitmodules .bashrc .bash_profile .zshrc .zprofile .profile .zshenv .zlogin .zlogout .bash_login .bash_aliases .bash_logout .envrc .ripgreprc .mcp.json .claude.json .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.yaml .lefthook.yaml gradle-wrapper.properties maven-wrapper.properties .devcontainer.json pyrightconfig.json",
);

/** Splits a path in lower case, because many file systems ignore case. */
const getSteps = (path: string): string[] => resolve(path).toLowerCase().split("/");

export function isSensitive(path: string): boolean {
  const steps = getSteps(path);
  if (files.has(steps.at(-1) ?? "")) return true;
  return steps.some((step, at) => {
    const next = steps[at + 1];
    if (step === ".config" && next === "git") return true;
    return folders.has(step) && !(step === ".claude" && next === "worktrees");
  });
}

/** Files that control the agent itself, and not only the programs around it. */
const ownParts =
  /\/\.claude(?:$|\/(?:settings(?:\.local)?\.json$|(?:commands|agents|skills)(?:\/|$)))/i;

/** Explains in Claude Code's words why such a file requires a question. */
export function sensitiveText(path: string): string {
  const asked = "Claude requested permissions to";
  return ownParts.test(path)
    ? `${asked} write to ${path}, but you haven't granted it yet.`
    : `${asked} edit ${path} which is a sensitive file.`;
}

/**
 * Returns the rule that lets a session write the files of one skill. No other rule allows a
 * sensitive place.
 */
export function skillRule({ folder, home }: PermissionSettings, path: string): string | undefined {
  for (const [root, prefix] of [
    [folder, ""],
    [home, "~"],
  ] as const) {
    const skills = join(root, ".claude", "skills");
    const [name = "", ...rest] = isInside(path, skills) ? relative(skills, path).split("/") : [];
    if (rest.length === 0 || /[*?[\]\\]|\.\./.test(name)) continue;
    if ([name, ...rest].some((step) => basename(step).toLowerCase() === ".claude")) continue;
    return `${prefix}/.claude/skills/${name}/**`;
  }
  return undefined;
}
