/** The head of a Markdown file between two `---`, and what follows it. Only `name: value` and lists. */
export function readFrontMatter(whole: string): {
  head: Record<string, string>;
  /** The head as it was written, for those of its parts that are more than texts. */
  written: string;
  body: string;
} {
  const found = /^---\r?\n([^]*?)\r?\n---\r?\n?/.exec(whole);
  if (!found) return { head: {}, written: "", body: whole };
  const head: Record<string, string> = {};
  let last = "";
  for (const line of found[1]!.split(/\r?\n/)) {
    const pair = /^([\w-]+)\s*:\s*(.*)$/.exec(line);
    const item = /^\s+-\s+(.*)$/.exec(line);
    if (pair) {
      last = pair[1]!;
      head[last] = unquoted(pair[2]!.trim());
    } else if (item && last !== "") {
      head[last] = [head[last], unquoted(item[1]!.trim())].filter(Boolean).join(", ");
    } else if (last !== "" && /^\s+\S/.test(line)) {
      head[last] = [head[last]?.replace(/^[|>]-?$/, ""), line.trim()].filter(Boolean).join(" ");
    }
  }
  return { head, written: found[1]!, body: whole.slice(found[0].length) };
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value.replace(/^\[(.*)\]$/, "$1");
}
