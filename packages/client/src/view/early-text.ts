import type { TextFrame } from "../contract.ts";

/** Beyond this amount of text without a place, the item is read again instead. */
const MOST = 256 * 1024;

/**
 * Pieces of text whose item is not known yet. Live text is sent before anything is stored, so it
 * may come before its item, or while the item is being read again.
 */
export class EarlyText {
  readonly #pieces = new Map<string, TextFrame[]>();
  #length = 0;

  keep(piece: TextFrame): void {
    // The gap is found when the item comes.
    if (this.#length + piece.text.length > MOST) this.clear();
    this.#pieces.set(piece.item, [...(this.#pieces.get(piece.item) ?? []), piece]);
    this.#length += piece.text.length;
  }

  take(item: string): readonly TextFrame[] {
    const pieces = this.#pieces.get(item) ?? [];
    this.#pieces.delete(item);
    for (const { text } of pieces) this.#length -= text.length;
    return pieces;
  }

  clear(): void {
    this.#pieces.clear();
    this.#length = 0;
  }
}
