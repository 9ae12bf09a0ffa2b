import { dirname } from "node:path";
import { type GitSettings, settingsInEnvironment } from "@signalbox/host/git";
import { findGitFolders } from "./git-folders.ts";
import { scanGit } from "./scan-git.ts";

/** Values for settings that name a program, with which Git works or fails without running that program. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/^core\.fsmonitor$/, "false"],
  [/^log\.showsignature$/, "false"],
  [/^core\.hookspath$/, "/dev/null"],
  [/^filter\.[^]*\.(clean|smudge|process)$/, ""],
  [/^filter\.[^]*\.required$/, "false"],
  [/^diff\.[^]*\.textconv$/, "cat"],
  [/^diff\.[^]*\.cachetextconv$/, "false"],
  [/^(diff\.external|diff\.[^]*\.command|merge\.[^]*\.driver)$/, "false"],
  [/^(difftool|mergetool|man|browser|guitool)\.[^]*\.(cmd|path)$/, "false"],
  [/^(core|sequence)\.editor$/, "false"],
  [/^(core\.pager|pager\.[^]*|interactive\.difffilter)$/, "cat"],
  [/^alias\.[^]*$/, ""],
  [/^credential\.([^]*\.)?helper$/, ""],
  [/^core\.askpass$/, ""],
  [/^core\.sshcommand$/, "ssh"],
  [/^ssh\.variant$/, "ssh"],
  [/^http\.([^]*\.)?proxy$/, ""],
  [/^gpg\.(openpgp\.)?program$/, "gpg"],
  [/^gpg\.x509\.program$/, "gpgsm"],
  [/^gpg\.ssh\.program$/, "ssh-keygen"],
  [/^remote\.[^]*\.uploadpack$/, "git-upload-pack"],
  [/^remote\.[^]*\.receivepack$/, "git-receive-pack"],
];

/** Settings for every Git command of such a run, regardless of the repository. */
const always: GitSettings = {
  "core.fsmonitor": "false",
  "log.showSignature": "false",
  "safe.bareRepository": "explicit",
};

/**
 * Environment variables with which Git runs no program from the configuration of the repositories around a
 * folder. If the configuration cannot be read or overridden, Git finds no repository.
 */
export function createInertGitEnvironment(folder: string): Record<string, string> {
  const overrides: Record<string, string> = { ...always };
  let isInert = true;
  for (const place of listParents(folder)) {
    for (const git of findGitFolders(place)) {
      const { settings, isComplete: isWhole } = scanGit(place, git);
      isInert &&= isWhole;
      for (const { key } of settings) {
        const value = replacements.find(([pattern]) => pattern.test(key))?.[1];
        if (value === undefined) isInert = false;
        else overrides[key] = value;
      }
    }
  }
  return { ...settingsInEnvironment(overrides), ...(!isInert && { GIT_DIR: "/dev/null" }) };
}

function listParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listParents(parent)];
}
