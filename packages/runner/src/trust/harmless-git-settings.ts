import type { GitSetting } from "./parse-git-config.ts";

const getKeys = (section: string, ...keys: string[]) => keys.map((key) => `${section}.${key}`);

/** Settings of a repository that run nothing and make Git read no other files. All others are shown. */
const harmless: ReadonlySet<string> = new Set([
  ...getKeys("core", "repositoryformatversion", "filemode", "bare", "logallrefupdates"),
  ...getKeys("core", "ignorecase", "precomposeunicode", "symlinks", "autocrlf", "eol", "safecrlf"),
  ...getKeys("core", "quotepath", "abbrev", "compression", "loosecompression", "bigfilethreshold"),
  ...getKeys("core", "sparsecheckout", "sparsecheckoutcone", "untrackedcache", "preloadindex"),
  ...getKeys(
    "core",
    "fscache",
    "longpaths",
    "protecthfs",
    "protectntfs",
    "commentchar",
    "whitespace",
  ),
  ...getKeys("core", "multipackindex", "commitgraph", "checkstat", "trustctime", "splitindex"),
  ...getKeys("core", "sharedrepository", "deltabasecachelimit", "packedgitlimit", "hidedotfiles"),
  ...getKeys(
    "core",
    "checkroundtripencoding",
    "createobject",
    "maxtreedepth",
    "packedgitwindowsize",
  ),
  ...getKeys("extensions", "objectformat", "partialclone", "preciousobjects", "refstorage", "noop"),
  ...getKeys("extensions", "worktreeconfig", "relativeworktrees", "compatobjectformat"),
  ...getKeys("user", "name", "email", "signingkey", "useconfigonly"),
  ...getKeys("author", "name", "email"),
  ...getKeys("committer", "name", "email"),
  ...getKeys("commit", "gpgsign", "verbose", "status", "cleanup"),
  ...getKeys("tag", "gpgsign", "sort", "forcesignannotated"),
  ...getKeys("gpg", "format"),
  ...getKeys("pull", "rebase", "ff"),
  ...getKeys("push", "default", "autosetupremote", "followtags"),
  ...getKeys("fetch", "prune", "prunetags", "parallel", "writecommitgraph", "all"),
  ...getKeys("merge", "ff", "conflictstyle", "log", "renames", "renamelimit", "stat"),
  ...getKeys("rebase", "autosquash", "autostash", "stat", "updaterefs", "missingcommitscheck"),
  ...getKeys("rerere", "enabled", "autoupdate"),
  ...getKeys("branch", "autosetupmerge", "autosetuprebase", "sort"),
  ...getKeys("checkout", "defaultremote", "guess", "workers"),
  ...getKeys("status", "short", "branch", "showuntrackedfiles", "relativepaths", "aheadbehind"),
  ...getKeys("log", "date", "decorate", "follow", "abbrevcommit"),
  ...getKeys(
    "diff",
    "algorithm",
    "renames",
    "renamelimit",
    "mnemonicprefix",
    "noprefix",
    "colormoved",
  ),
  ...getKeys("gc", "auto", "autodetach", "autopacklimit", "pruneexpire", "reflogexpire"),
  ...getKeys("gc", "worktreepruneexpire", "reflogexpireunreachable", "writecommitgraph"),
  ...getKeys("maintenance", "auto", "strategy"),
  ...getKeys("pack", "threads", "windowmemory", "window", "depth", "usesparse", "writebitmaps"),
  ...getKeys("index", "version", "threads", "sparse", "skiphash"),
  ...getKeys("feature", "manyfiles", "experimental"),
  ...getKeys("receive", "denycurrentbranch", "denynonfastforwards", "denydeletes"),
  ...getKeys("http", "postbuffer", "version", "lowspeedlimit", "lowspeedtime"),
  ...getKeys("submodule", "active", "recurse", "fetchjobs"),
  ...getKeys("lfs", "repositoryformatversion"),
  ...getKeys("init", "defaultbranch"),
  ...getKeys("gui", "wmstate", "geometry", "encoding"),
  ...getKeys("i18n", "commitencoding", "logoutputencoding"),
  ...getKeys("remote", "pushdefault"),
]);

/** The same for settings of one branch, remote and so on, which contain its name. */
const harmlessPatterns: readonly RegExp[] = [
  /^advice\.[a-z0-9]+$/,
  /^color\.([a-z0-9]+|(branch|diff|status)\.[a-z0-9]+)$/,
  /^branch\.[^]+\.(remote|merge|rebase|pushremote|description|base|github-pr-owner-number|vscode-merge-base|gk-merge-base|gk-merge-target|gk-last-accessed|gk-last-modified)$/,
  /^remote\.[^]+\.(fetch|push|tagopt|prune|prunetags|mirror|promisor|partialclonefilter|skipfetchall|skipdefaultupdate|gh-resolved|followremotehead)$/,
  /^submodule\.[^]+\.(active|branch|ignore|fetchrecursesubmodules|shallow|path)$/,
  /^http\.https?:[^]+\.extraheader$/, // contains a credential, which must not be shown
  /^lfs\.https?:[^]+\.(access|locksverify)$/,
];

/** Git passes an address `name::rest` to the program `git-remote-name`, and one with a leading dash to ssh. */
const isAddress = (value: string) => !value.includes("::") && !value.startsWith("-");

/** Settings that are harmless with certain values. */
const harmlessValues: readonly (readonly [RegExp, (value: string) => boolean])[] = [
  // Git's built-in monitor or none; any other value is a program.
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
  if (harmless.has(key) || harmlessPatterns.some((pattern) => pattern.test(key))) return true;
  return harmlessValues.some(([pattern, fits]) => pattern.test(key) && fits(value));
}
