/**
 * Spans in which a dollar sign or backslash is not mathematics: code, formulas between `$$`, and escaped
 * characters. After them the formulas that this function rewrites.
 */
const tokens =
  /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|(`+)[\s\S]{0,5000}?\2(?!`)|\$\$[\s\S]*?(?:\$\$|$)|\\\(([\s\S]{1,5000}?)\\\)|\\\[([\s\S]{1,5000}?)\\\]|\\[\s\S]|\$([^\s$`](?:[^$`\n]*[^\s$`\\])?)\$(?![\p{L}\p{N}_$])/gu;

/**
 * Writes formulas between `$…$`, `\(…\)` and `\[…\]` with two dollar signs, which is all the parser knows. A
 * single dollar sign is mathematics only where it can be no price and no variable: it touches the formula on
 * both sides, and no letter or digit on the others.
 */
export function delimitMath(text: string): string {
  if (!text.includes("$") && !text.includes("\\")) return text;
  return text.replaceAll(
    tokens,
    (
      whole: string,
      _fence: string | undefined,
      _ticks: string | undefined,
      inline: string | undefined,
      display: string | undefined,
      dollars: string | undefined,
      at: number,
    ) => {
      if (inline !== undefined) return `$$${inline.trim()}$$`;
      if (display !== undefined) return writeDisplay(text, at, whole, display.trim());
      if (dollars === undefined || /[\p{L}\p{N}_$]/u.test(text[at - 1] ?? "")) return whole;
      return `$$${dollars}$$`;
    },
  );
}

/** A formula with lines of its own becomes a block; one inside a line stays there. */
function writeDisplay(text: string, at: number, whole: string, formula: string): string {
  const isAlone =
    (at === 0 || text[at - 1] === "\n") && /^[ \t]*(?:\n|$)/.test(text.slice(at + whole.length));
  return isAlone ? `$$\n${formula}\n$$` : `$$${formula}$$`;
}
