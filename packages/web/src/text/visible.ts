import { codePointLabel, hiddenCharacters } from "@signalbox/protocol/text";
import { strings } from "../strings/strings.ts";

/**
 * Makes hidden characters visible (C13): those that control, reorder or take no space are separated from the
 * others.
 */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** `sign` is shown in its place, `name` describes it. */
  | { readonly kind: "mark"; readonly text: string; readonly sign: string; readonly name: string };

const names = strings.characters;

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
