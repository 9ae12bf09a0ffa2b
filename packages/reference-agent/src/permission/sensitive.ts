import { basename, join, relative, resolve } from "node:path";
import { isInside } from "../files/paths.ts";
import type { PermissionState } from "./state.ts";

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Folders by which a repository or an editor could be made to run something. */
const folders = list(".git .vscode .idea .claude .husky .cargo .devcontainer .yarn .mvn");
/** Files by which a shell or a tool could be. */
const files = list(
  ".gitconfig .gitmodules .bashrc .bash_profile .zshrc .zprofile .profile .zshenv .zlogin .zlogout .bash_login .bash_aliases .bash_logout .envrc .ripgreprc .mcp.json .claude.json .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.yaml .lefthook.yaml gradle-wrapper.properties maven-wrapper.properties .devcontainer.json pyrightconfig.json",
);

/** Many disks do not tell capital letters from small ones. */
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

/** What steers the agent itself, and not only what runs around it. */
const ownParts =
  /\/\.claude(?:$|\/(?:settings(?:\.local)?\.json$|(?:commands|agents|skills)(?:\/|$)))/i;

/** Why a person is asked about such a file, in Claude Code's words. */
export function sensitiveText(path: string): string {
  const asked = "Claude requested permissions to";
  return ownParts.test(path)
    ? `${asked} write to ${path}, but you haven't granted it yet.`
    : `${asked} edit ${path} which is a sensitive file.`;
}

/** The rule under which a session may write one skill's files: the only one for a sensitive place. */
export function skillRule({ folder, home }: PermissionState, path: string): string | undefined {
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
