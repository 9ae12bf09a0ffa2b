/**
 * Converts a path pattern to a regular expression: `*` and `?` match within a name, `**` across
 * folders, `[…]` and `{a,b}` match alternatives. The path has no leading slash. With `plain`, as
 * Claude Code reads rules, braces and `!` and `^` in brackets are literal, and a bracket in first
 * place closes.
 */
export function globToRegExp(
  pattern: string,
  { ignoresCase = false, plain = false }: { ignoresCase?: boolean; plain?: boolean } = {},
): RegExp {
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
      const reading = plain ? PLAIN_CLASS : CLASS;
      reading.lastIndex = i;
      const found = reading.exec(pattern);
      const { not, signs } = found?.groups ?? {};
      source += signs === undefined ? "\\[" : getOne(signs, not !== undefined);
      i += (found?.[0].length ?? 1) - 1;
    } else if (char === "{" && !plain) {
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

/** Matches `[…]`. A bracket in first place is an ordinary character. */
const CLASS = /\[(?<not>[!^])?(?<signs>(?:\\.|[^\\])(?:\\.|[^\\\]])*)\]/sy;
const PLAIN_CLASS = /\[(?<signs>(?:\\.|[^\\\]])*)\]/sy;

/** Matches one of these characters. A range whose end is before its beginning matches none. */
function getOne(signs: string, isNegated: boolean): string {
  const one = String.raw`(\\.|[^\\])`;
  const ranges = [...signs.matchAll(new RegExp(`${one}(?:-${one})?`, "gs"))].map(
    ([, from = "", to = from]) => [from.at(-1)!, to.at(-1)!] as const,
  );
  const inside = ranges
    .filter(([from, to]) => from <= to)
    .map(([from, to]) => `${getCode(from)}-${getCode(to)}`)
    .join("");
  return `(?!/)[${isNegated ? "^" : ""}${inside}]`;
}

const getCode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

function escape(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
}
