/** A pattern of paths as a regular expression: `*` and `?` within a name, `**` across folders,
 * `[…]` and `{a,b}`. The path has no leading slash. */
export function globToRegExp(pattern: string, ignoresCase = false): RegExp {
  let source = "";
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === "*" && pattern[i + 1] === "*") {
      const wholeName = (i === 0 || pattern[i - 1] === "/") && pattern[i + 2] === "/";
      source += wholeName ? "(?:.*/)?" : ".*";
      i += wholeName ? 2 : 1;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "[") {
      const end = pattern.indexOf("]", i + 2);
      if (end < 0) source += "\\[";
      else {
        source += `[${pattern
          .slice(i + 1, end)
          .replace(/^!/, "^")
          .replaceAll("\\", "\\\\")}]`;
        i = end;
      }
    } else if (char === "{") {
      source += "(?:";
      depth++;
    } else if (char === "}" && depth > 0) {
      source += ")";
      depth--;
    } else if (char === "," && depth > 0) source += "|";
    else if (char === "\\" && i + 1 < pattern.length) source += escape(pattern[++i]!);
    else source += escape(char);
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`, ignoresCase ? "is" : "s");
}

function escape(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}
