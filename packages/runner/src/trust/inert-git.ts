import { dirname } from "node:path";
import { type GitSettings, settingsInEnvironment } from "@signalbox/host/git";
import { findGitFolders } from "./git-folders.ts";
import { scanGit } from "./scan-git.ts";

/** For settings that name a program: the value with which Git works without that program, or says that it cannot. */
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

/** What every Git of such a run is told, whatever the repository says. */
const always: GitSettings = {
  "core.fsmonitor": "false",
  "log.showSignature": "false",
  "safe.bareRepository": "explicit",
};

/**
 * The variables by which Git runs no program of the configuration of the repositories around a folder. Where
 * their configuration holds something that cannot be overruled, or cannot be read, Git finds no repository.
 */
export function createInertGitEnvironment(folder: string): Record<string, string> {
  const overruled: Record<string, string> = { ...always };
  let isInert = true;
  for (const place of listParents(folder)) {
    for (const git of findGitFolders(place)) {
      const { settings, isComplete: isWhole } = scanGit(place, git);
      isInert &&= isWhole;
      for (const { key } of settings) {
        const value = replacements.find(([pattern]) => pattern.test(key))?.[1];
        if (value === undefined) isInert = false;
        else overruled[key] = value;
      }
    }
  }
  return { ...settingsInEnvironment(overruled), ...(!isInert && { GIT_DIR: "/dev/null" }) };
}

function listParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listParents(parent)];
}
