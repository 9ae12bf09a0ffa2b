/** Why a Bash line cannot be judged before it runs, in Claude Code's words (2.1.325). */
const about = (what: string): string => `${what} in this command can't be checked before it runs`;

export const ARGUMENTS = about("A nested command");
export const ASSIGNMENTS = about("Variable assignments");
export const BRACE_PATTERN = about("A brace pattern");
export const BRACED_VARIABLE = about("A variable in braces");
export const CASE = about("A case statement");
export const COUNTING = about("A counting for loop");
export const ESCAPES = about("Text with escape codes");
export const FILE_REDIRECT = about("A file redirect");
export const FUNCTION = about("A function definition");
export const GROUP = about("A group in braces or double parentheses");
export const PIPELINE = about("A pipeline");
export const PROCESS = about("A command used as a file");
export const QUOTED = about("Quoted text");
export const SET_VARIABLE = about("A variable set");
export const VARIABLE = about("A variable");
export const BRACE_EXPANSION = "Brace expansion";
export const ESCAPED_SPACE = "Contains backslash-escaped whitespace";
export const HERE_DOCUMENT = "Heredoc with unquoted delimiter undergoes shell expansion";
export const AFTER_DOCUMENT =
  "Text after the heredoc start on the same line cannot be statically analyzed";
export const INCOMPLETE = "Parse error";
export const REDIRECT_TARGET =
  "Redirect target concatenation contains $/` — unanalyzable gap or substitution";
export const SELECT = "select statement reads stdin into $REPLY; cannot statically model";
export const SOMETHING = "This command can't be checked before it runs";
/** The message for a line that could be judged but is not. No rule is suggested for it. */
export const SUBSHELL = "This command uses shell operators that require approval for safety";
export const EXPANDED = "Shell expansion syntax in paths requires manual approval";
export const UNICODE_SPACE = "Contains Unicode whitespace";
export const BACKGROUND =
  "This command uses the `&` background operator, which defers execution past approval-time safety checks. Approve only if you trust it.";

const CD = "Compound command contains cd with";
const BYPASS = "manual approval required to prevent path resolution bypass";
export const MOVED_REDIRECT = `${CD} output redirection - ${BYPASS}`;
export const MOVED_WRITE = `${CD} write operation - ${BYPASS}`;
/** The same message for when nobody can be asked. */
export const MOVED_UNASKED =
  "Commands that change directories and perform write operations require explicit approval to ensure paths are evaluated correctly. For security, Claude Code cannot automatically determine the final working directory when 'cd' is used in compound commands.";
export const MOVED_TWICE = "Multiple directory changes in one command require approval for clarity";
export const MOVED_GIT =
  "This command changes directory before running a version-control command, which can pick up untrusted hooks or repository configuration from the target directory. Approve only if you trust it.";
export const PATTERN =
  "Glob patterns are not allowed in write operations. Please specify an exact file path.";
export const TURNS_BACK =
  "Path contains '..' traversal after a directory segment, which may follow a symlink outside the working directory";
export const whyFind = (option: string): string =>
  `find with '${option}' executes commands or modifies files — cannot be auto-allowed by a Bash(find:*) prefix rule`;

/** The names of constructs whose output or input is redirected as a whole. */
export const redirected: Readonly<Record<string, string>> = {
  for: about("A for or select loop"),
  while: about("A while or until loop"),
  until: about("A while or until loop"),
  if: about("An if statement"),
};

const evaluators = new Set("eval exec source . trap let mapfile readarray alias hash".split(" "));

/** Variables that change the behavior of a shell, Bash or zsh. */
const special = new Set(
  "HOME PATH IFS LANG _ LD_PRELOAD LD_LIBRARY_PATH PWD OLDPWD BASH_ENV ENV USER LOGNAME SHELL SHELLOPTS UID EUID PPID RANDOM SECONDS LINES COLUMNS PROMPT_COMMAND PS1 PS2 PS3 PS4 path cdpath fpath manpath status argv prompt".split(
    " ",
  ),
);

export function whyEvaluated(name: string): string | undefined {
  return evaluators.has(name) ? `'${name}' evaluates arguments as shell code` : undefined;
}

/** Explains a here-document in which the shell expands variables. The first variable is named. */
export function whyExpanded(rest: string): string {
  const line = /^[^\n]*/.exec(rest)?.[0] ?? "";
  if (/^[^;&|]*[<>]/.test(line)) return FILE_REDIRECT;
  if (/^[^;&|]*\|(?!\|)/.test(line)) return PIPELINE;
  return /[;&|]/.test(line) ? AFTER_DOCUMENT : HERE_DOCUMENT;
}

export function whyLoopVariable(name: string): string | undefined {
  if (!special.has(name) && !name.startsWith("LC_")) return undefined;
  return `${name} as loop variable bypasses assignment validation`;
}

export function whyAssigned(name: string): string | undefined {
  if (name === "IFS") return "IFS assignment changes word-splitting — cannot model statically";
  if (!special.has(name)) return undefined;
  return `${name} assignment alters command lookup/execution for subsequent commands`;
}

/** Explains a variable in `$((…))` or `$[…]`. */
export const whyCounted = (name: string): string =>
  `Arithmetic expansion references variable or non-literal: ${name}`;
