import type { GitSetting } from "./parse-git-config.ts";

const names = (section: string, ...keys: string[]) => keys.map((key) => `${section}.${key}`);

/** Settings of a repository that run nothing and lead Git to no other files. Every other one is shown. */
const harmless: ReadonlySet<string> = new Set([
  ...names("core", "repositoryformatversion", "filemode", "bare", "logallrefupdates"),
  ...names("core", "ignorecase", "precomposeunicode", "symlinks", "autocrlf", "eol", "safecrlf"),
  ...names("core", "quotepath", "abbrev", "compression", "loosecompression", "bigfilethreshold"),
  ...names("core", "sparsecheckout", "sparsecheckoutcone", "untrackedcache", "preloadindex"),
  ...names(
    "core",
    "fscache",
    "longpaths",
    "protecthfs",
    "protectntfs",
    "commentchar",
    "whitespace",
  ),
  ...names("core", "multipackindex", "commitgraph", "checkstat", "trustctime", "splitindex"),
  ...names("core", "sharedrepository", "deltabasecachelimit", "packedgitlimit", "hidedotfiles"),
  ...names("core", "checkroundtripencoding", "createobject", "maxtreedepth", "packedgitwindowsize"),
  ...names("extensions", "objectformat", "partialclone", "preciousobjects", "refstorage", "noop"),
  ...names("extensions", "worktreeconfig", "relativeworktrees", "compatobjectformat"),
  ...names("user", "name", "email", "signingkey", "useconfigonly"),
  ...names("author", "name", "email"),
  ...names("committer", "name", "email"),
  ...names("commit", "gpgsign", "verbose", "status", "cleanup"),
  ...names("tag", "gpgsign", "sort", "forcesignannotated"),
  ...names("gpg", "format"),
  ...names("pull", "rebase", "ff"),
  ...names("push", "default", "autosetupremote", "followtags"),
  ...names("fetch", "prune", "prunetags", "parallel", "writecommitgraph", "all"),
  ...names("merge", "ff", "conflictstyle", "log", "renames", "renamelimit", "stat"),
  ...names("rebase", "autosquash", "autostash", "stat", "updaterefs", "missingcommitscheck"),
  ...names("rerere", "enabled", "autoupdate"),
  ...names("branch", "autosetupmerge", "autosetuprebase", "sort"),
  ...names("checkout", "defaultremote", "guess", "workers"),
  ...names("status", "short", "branch", "showuntrackedfiles", "relativepaths", "aheadbehind"),
  ...names("log", "date", "decorate", "follow", "abbrevcommit"),
  ...names(
    "diff",
    "algorithm",
    "renames",
    "renamelimit",
    "mnemonicprefix",
    "noprefix",
    "colormoved",
  ),
  ...names("gc", "auto", "autodetach", "autopacklimit", "pruneexpire", "reflogexpire"),
  ...names("gc", "worktreepruneexpire", "reflogexpireunreachable", "writecommitgraph"),
  ...names("maintenance", "auto", "strategy"),
  ...names("pack", "threads", "windowmemory", "window", "depth", "usesparse", "writebitmaps"),
  ...names("index", "version", "threads", "sparse", "skiphash"),
  ...names("feature", "manyfiles", "experimental"),
  ...names("receive", "denycurrentbranch", "denynonfastforwards", "denydeletes"),
  ...names("http", "postbuffer", "version", "lowspeedlimit", "lowspeedtime"),
  ...names("submodule", "active", "recurse", "fetchjobs"),
  ...names("lfs", "repositoryformatversion"),
  ...names("init", "defaultbranch"),
  ...names("gui", "wmstate", "geometry", "encoding"),
  ...names("i18n", "commitencoding", "logoutputencoding"),
  ...names("remote", "pushdefault"),
]);

/** The same for settings about one branch, remote and so on, whose names stand in the middle. */
const harmlessOfOne: readonly RegExp[] = [
  /^advice\.[a-z0-9]+$/,
  /^color\.([a-z0-9]+|(branch|diff|status)\.[a-z0-9]+)$/,
  /^branch\.[^]+\.(remote|merge|rebase|pushremote|description|base|github-pr-owner-number|vscode-merge-base|gk-merge-base|gk-merge-target|gk-last-accessed|gk-last-modified)$/,
  /^remote\.[^]+\.(fetch|push|tagopt|prune|prunetags|mirror|promisor|partialclonefilter|skipfetchall|skipdefaultupdate|gh-resolved|followremotehead)$/,
  /^submodule\.[^]+\.(active|branch|ignore|fetchrecursesubmodules|shallow|path)$/,
  /^http\.https?:[^]+\.extraheader$/, // it holds a credential, which a question must not show
  /^lfs\.https?:[^]+\.(access|locksverify)$/,
];

/** An address `name::rest` is handed to the program `git-remote-name`, and one with a dash first to ssh. */
const isAddress = (value: string) => !value.includes("::") && !value.startsWith("-");

/** Settings whose value decides. */
const byValue: readonly (readonly [RegExp, (value: string) => boolean])[] = [
  // Git's own monitor, or none; every other value is a program.
  [/^core\.fsmonitor$/, (value) => /^(true|false|yes|no|on|off|0|1)?$/i.test(value)],
  [/^log\.showsignature$/, (value) => /^(false|no|off|0)?$/i.test(value)],
  [/^remote\.[^]+\.(url|pushurl)$/, isAddress],
  [/^submodule\.[^]+\.url$/, isAddress],
  [/^submodule\.[^]+\.update$/, (value) => /^(checkout|rebase|merge|none)$/.test(value)],
  [/^filter\.lfs\.clean$/, (value) => value === "git-lfs clean -- %f"],
  [/^filter\.lfs\.smudge$/, (value) => /^git-lfs smudge( --skip)? -- %f$/.test(value)],
  [/^filter\.lfs\.process$/, (value) => /^git-lfs filter-process( --skip)?$/.test(value)],
  [/^filter\.lfs\.required$/, () => true],
];

export function isHarmless({ key, value = "true" }: GitSetting): boolean {
  if (harmless.has(key) || harmlessOfOne.some((pattern) => pattern.test(key))) return true;
  return byValue.some(([pattern, fits]) => pattern.test(key) && fits(value));
}
