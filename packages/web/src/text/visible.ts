import { codePointLabel, hiddenCharacters } from "@signalbox/protocol/text";

/**
 * Makes hidden characters visible (C13): those that control, reorder or take no space are separated from the
 * others.
 */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** `sign` is shown in its place, `name` describes it. */
  | { readonly kind: "mark"; readonly text: string; readonly sign: string; readonly name: string };

const names: Readonly<Record<number, string>> = {
  0x00: "null",
  0x07: "bell",
  0x08: "backspace",
  0x09: "tab",
  0x0a: "line feed",
  0x0b: "vertical tab",
  0x0c: "form feed",
  0x0d: "carriage return",
  0x1b: "escape",
  0x7f: "delete",
  0x85: "next line",
  0xa0: "no-break space",
  0xad: "soft hyphen",
  0x34f: "combining grapheme joiner",
  0x61c: "Arabic letter mark",
  0x180e: "Mongolian vowel separator",
  0x200b: "zero-width space",
  0x200c: "zero-width non-joiner",
  0x200d: "zero-width joiner",
  0x200e: "left-to-right mark",
  0x200f: "right-to-left mark",
  0x2028: "line separator",
  0x2029: "paragraph separator",
  0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding",
  0x202c: "pop directional formatting",
  0x202d: "left-to-right override",
  0x202e: "right-to-left override",
  0x2060: "word joiner",
  0x2061: "function application",
  0x2062: "invisible times",
  0x2063: "invisible separator",
  0x2064: "invisible plus",
  0x2066: "left-to-right isolate",
  0x2067: "right-to-left isolate",
  0x2068: "first strong isolate",
  0x2069: "pop directional isolate",
  0x3164: "Hangul filler",
  0xfeff: "zero-width no-break space",
};

/** Abbreviations of the control characters. */
const controls = (
  "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI " +
  "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
).split(" ");

/** For decisions: marks every hidden character. */
export function visiblePieces(text: string): Piece[] {
  return pieces(text, hiddenCharacters("decision"));
}

/** For prose: marks only control and bidirectional characters. */
export function steeringPieces(text: string): Piece[] {
  return pieces(text, hiddenCharacters("prose"));
}

function pieces(text: string, marked: RegExp): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(marked)) {
    if (character === "\n" || character === "\t") continue;
    if (index > from) found.push({ kind: "text", text: text.slice(from, index) });
    found.push(mark(character));
    from = index + character.length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}

function mark(character: string): Extract<Piece, { kind: "mark" }> {
  const code = character.codePointAt(0) ?? 0;
  const number = codePointLabel(code);
  const named = names[code];
  return {
    kind: "mark",
    text: character,
    sign: code < 0x20 ? (controls[code] ?? number) : code === 0x7f ? "DEL" : number,
    name: named === undefined ? number : `${number} ${named}`,
  };
}

export function hasHidden(text: string): boolean {
  return hiddenIn(text) > 0;
}

/** The number of hidden characters. */
export function hiddenIn(text: string): number {
  return visiblePieces(text).filter(({ kind }) => kind === "mark").length;
}

/** Characters that change the direction of text. */
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Whether a text contains characters that change its direction. */
export function reorders(text: string): boolean {
  return reordering.test(text);
}

/** For names and titles: control and bidirectional characters are replaced by their code point. */
export function inert(text: string): string {
  return text.replaceAll(hiddenCharacters("prose"), (character) => `⟨${mark(character).sign}⟩`);
}

/** For commands and paths: every hidden character is replaced by its code point. */
export function spelled(text: string): string {
  return visiblePieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : `⟨${piece.sign}⟩`))
    .join("");
}

/** Removes every hidden character. */
export function withoutHidden(text: string): string {
  return visiblePieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : ""))
    .join("");
}
