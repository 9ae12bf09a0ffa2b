export { decodeStrictly } from "./decode.ts";
export { findGit } from "./find-git.ts";
export {
  askGit,
  git,
  gitLine,
  runGit,
  runGitCommand,
  type GitCommand,
  type GitOutput,
} from "./git.ts";
export { type GitSettings, inertEnvironment, settingsInEnvironment } from "./inert-settings.ts";
export { isolateGit, listHiddenFromGit } from "./isolate-git.ts";
export { turnOffPrograms } from "./repository-programs.ts";
