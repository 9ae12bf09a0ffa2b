/** A pattern of paths as a regular expression: `*` and `?` within a name, `**` across folders,
 * `[…]` and `{a,b}`. The path has no leading slash. `plain`: as Claude Code reads rules: braces, and
 * `!` and `^` in brackets, mean themselves, and a bracket that comes first closes. */
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

/** `[…]`, in which a bracket that comes first is a sign like others. */
const CLASS = /\[(?<not>[!^])?(?<signs>(?:\\.|[^\\])(?:\\.|[^\\\]])*)\]/sy;
const PLAIN_CLASS = /\[(?<signs>(?:\\.|[^\\\]])*)\]/sy;

/** One sign of these; of a range whose end comes before its beginning there is none. */
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
