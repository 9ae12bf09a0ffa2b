const named: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  e: "\u001b",
  E: "\u001b",
};

/** Decodes the text of `$'…'`. */
export function unescaped(text: string): string {
  const codes = /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3})|([^]))/gi;
  return text.replace(codes, (_, hex, short, long, octal, char) => {
    const code = hex ?? short ?? long;
    if (code !== undefined) return fromCode(parseInt(code, 16));
    return octal === undefined ? (named[char] ?? char) : fromCode(parseInt(octal, 8));
  });
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
