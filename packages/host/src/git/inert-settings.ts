import { findGit } from "./find-git.ts";

export type GitSettings = Readonly<Record<string, string>>;

/**
 * The events for which Git runs a hook. From Git 2.54 on the configuration can define hooks; from
 * 2.55 on all hooks of an event can be disabled, which earlier versions ignore.
 */
const events = [
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-push",
  "reference-transaction",
  "pre-auto-gc",
  "post-rewrite",
  "sendemail-validate",
  "fsmonitor-watchman",
  "post-index-change",
];

/**
 * Settings that prevent Git from running anything of the repository: no hooks, no monitor, no
 * transport, no signature program, and no repository nested in another one's files.
 */
const inert: GitSettings = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.sshCommand": "false",
  "core.pager": "cat",
  "credential.helper": "",
  "diff.external": "",
  "gpg.program": "false",
  "log.showSignature": "false",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  "submodule.recurse": "false",
  ...Object.fromEntries(events.map((event) => [`hook.${event}.enabled`, "false"])),
};

/**
 * Environment variables that prevent Git from running anything of the repository; the caller adds
 * the names of filters.
 */
export function inertEnvironment(settings: GitSettings = {}): Record<string, string | undefined> {
  return {
    PATH: findGit().folders,
    HOME: process.env["HOME"],
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    LC_ALL: "C",
    ...settingsInEnvironment({ ...inert, ...settings }),
  };
}

/**
 * Settings are passed as variables because their names may contain an equals sign, which `-c`
 * cannot express.
 */
export function settingsInEnvironment(settings: GitSettings): Record<string, string> {
  const all = Object.entries(settings);
  const entries = all.flatMap(([name, value], nth) => [
    [`GIT_CONFIG_KEY_${nth}`, name],
    [`GIT_CONFIG_VALUE_${nth}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(entries) };
}
