import { readBy } from "./options.ts";

/**
 * Options of git that only affect output. None of them is a prefix of an option with other effects.
 */
const long =
  "oneline graph all decorate? no-decorate stat? shortstat numstat dirstat? summary name-only name-status patch no-patch patch-with-stat raw abbrev? abbrev-commit no-abbrev-commit no-abbrev full-index since? after? until? before? author? committer? grep? all-match invert-grep regexp-ignore-case ignore-case extended-regexp basic-regexp fixed-strings perl-regexp max-count? skip? merges no-merges min-parents? max-parents? first-parent branches? tags? remotes? glob? exclude? reverse date? relative-date format? pretty? topo-order date-order author-date-order follow full-history simplify-merges source walk-reflogs cherry cherry-pick cherry-mark left-right left-only right-only boundary ancestry-path? color? no-color color-words? word-diff? word-diff-regex? cached staged merge-base unified? minimal patience histogram diff-algorithm? find-renames? find-copies? find-copies-harder no-renames renames? ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol function-context inter-hunk-context? exit-code quiet check text binary diff-filter? pickaxe-all pickaxe-regex relative? no-relative no-ext-diff no-textconv submodule? ignore-submodules? no-prefix src-prefix? dst-prefix? cc notes? no-notes mailmap use-mailmap clear-decorations decorate-refs? children parents count? timestamp short? branch porcelain? long verbose untracked-files? ignored? show-stash ahead-behind no-ahead-behind column? no-column list show-current contains? no-contains? merged? no-merged? points-at? sort? line-porcelain incremental show-name show-number show-email root show-stats always exact-match match? candidates? verify show-toplevel git-dir absolute-git-dir git-common-dir abbrev-ref? is-inside-work-tree is-inside-git-dir is-bare-repository show-prefix show-cdup symbolic symbolic-full-name revs-only no-revs deleted modified others stage unmerged killed exclude-standard directory no-empty-directory full-name error-unmatch recurse-submodules eol deduplicate full-tree object-only numbered email group? refs? is-ancestor octopus independent fork-point word-regexp invert-match line-number files-with-matches files-without-match break heading show-function context? after-context? before-context? untracked and or not max-depth? null only-matching threads?";

const digits = "0123456789";
const displayOptions = {
  flags: `pusRabwWztrcmiEFPgq${digits}`,
  withValue: "nSGL",
  attachedValue: "UMCBlX",
};

/** Short options by subcommand. */
const letters: Readonly<
  Record<string, { flags?: string; withValue?: string; attachedValue?: string }>
> = {
  status: { flags: "sbvz", attachedValue: "u" },
  log: displayOptions,
  diff: displayOptions,
  show: displayOptions,
  reflog: displayOptions,
  "rev-list": displayOptions,
  branch: { flags: "arvlqi" },
  blame: { flags: "lsteswpncfbw", withValue: "L", attachedValue: "MC" },
  shortlog: { flags: "nsec", attachedValue: "w" },
  "ls-files": { flags: "cdmoisutvkzf", withValue: "x" },
  "cat-file": { flags: "tspe" },
  "merge-base": { flags: "a" },
  "rev-parse": { flags: "q" },
  grep: { flags: `iIvwEGFPnlLhHocpWqazr${digits}`, withValue: "emABC" },
};

/** Whether all options of a subcommand are known to be harmless. */
export function isReadOnlyGit(sub: string, words: readonly string[]): boolean {
  // It does not matter which options take the next word, because every word is checked as a path.
  const names = sub === "diff" ? `${long} no-index` : sub === "cat-file" ? "" : long;
  return readBy({ ...letters[sub], long: names }, words) !== undefined;
}
