/** The messages when nobody can be asked: Claude Code's own sentence for each tool. */

const notGranted = "but you haven't granted it yet.";

export function toolNotGranted(tool: string): string {
  return `Claude requested permissions to use ${tool}, ${notGranted}`;
}
export function readingNotGranted(path: string, why?: string): string {
  return `Claude requested permissions to read from ${path}, ${notGranted}${more(why)}`;
}
export function writingNotGranted(path: string, why?: string): string {
  return `Claude requested permissions to write to ${path}, ${notGranted}${more(why)}`;
}
const more = (why?: string): string => (why === undefined ? "" : ` ${why}.`);

export function severalNeedApproval(parts: readonly string[]): string {
  const which = parts.length === 1 ? "part requires" : "parts require";
  return `This Bash command contains multiple operations. The following ${which} approval: ${parts.join(", ")}`;
}

/** What a command may do with files, but only with those of the allowed folders. */
const activities: Readonly<Record<string, string>> = {
  "": "read files in",
  base64: "encode/decode files from",
  cat: "concatenate files from",
  cd: "change directories to",
  cmp: "compare files from",
  column: "format files from",
  comm: "compare files from",
  cut: "extract columns from files in",
  diff: "compare files from",
  egrep: "search for patterns in files from",
  fgrep: "search for patterns in files from",
  file: "examine file types in",
  find: "search files in",
  fold: "wrap lines of files from",
  git: "access files with git from",
  grep: "search for patterns in files from",
  head: "read the beginning of files from",
  hexdump: "display hex dump of files from",
  jq: "process JSON from files in",
  ls: "list files in",
  md5sum: "compute MD5 checksums for files in",
  nl: "number lines in files from",
  od: "display octal dump of files from",
  paste: "merge files from",
  rev: "read files (reversed lines) from",
  rg: "search for patterns in files from",
  sed: "edit files in",
  sha256sum: "compute SHA-256 checksums for files in",
  sort: "sort contents of files from",
  stat: "read file stats from",
  strings: "extract strings from files in",
  tac: "read files (reversed) from",
  tail: "read the end of files from",
  uniq: "filter duplicate lines from files in",
  wc: "count lines/words/bytes in files from",
};

/** Creates the message for reading. `name` is empty for a file that is read through `<`. */
export function lookingBlocked(name: string, path: string, folders: readonly string[]): string {
  const what = name === "" ? `Input redirection from '${path}'` : `${name} in '${path}'`;
  const doing = activities[name] ?? "read files in";
  return `${what} was blocked. For security, Claude Code may only ${doing} the allowed working directories for this session: ${listed(folders)}.`;
}

/** Creates the message for writing. `name` is empty for a file that is written through `>`. */
export function changeNeedsApproval(
  name: string,
  path: string,
  { folders, isInside }: { folders: readonly string[]; isInside: boolean },
): string {
  const what = name === "" ? `Output redirection to '${path}'` : `${name} in '${path}'`;
  return isInside
    ? `${what} needs approval. The path is inside the working directories for this session (${listed(folders)}), and Claude Code asks before a shell command creates, changes or removes files there.`
    : `${what} needs approval. The path is outside the working directories for this session (${listed(folders)}). Allowing runs the command as written.`;
}

const listed = (folders: readonly string[]): string =>
  folders.map((folder) => `'${folder}'`).join(", ");
