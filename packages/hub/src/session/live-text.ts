import type { Item } from "@signalbox/timeline";
import { growingText } from "@signalbox/timeline/view";
import { TextPiece } from "../fan-out/text-piece.ts";

/** The shortest time between two updates of growing text. */
export const LIVE_TEXT_INTERVAL_MS = 33;
/** The additional delay when no line arrives that the text could be sent with. */
export const IDLE_DELAY_MS = 12;

interface GrowingText {
  item: Item;
  text: string;
  /**
   * How much of the text subscribers have once they have the item; undefined: they do not know the item yet.
   */
  sentLength: number | undefined;
  storedLength: number;
}

/** The texts of a session that are being written, and how much of each was sent. */
export class LiveText {
  readonly #session: string;
  readonly #growing = new Map<string, GrowingText>();
  /** The items that subscribers have as growing and not yet as settled. */
  readonly #sentGrowing = new Set<string>();
  /** What subscribers have of texts that have settled and were not published as such. */
  readonly #sentOfSettled = new Map<string, string>();
  #hasUnsentText = false;

  constructor(session: string) {
    this.#session = session;
  }

  /**
   * Records that an item changed. While its text grows there is more to send; once it has settled there is
   * not.
   */
  update(findItem: Item): void {
    const text = growingText(findItem);
    const growing = this.#growing.get(findItem.id);
    if (text === undefined) {
      if (growing?.sentLength !== undefined)
        this.#sentOfSettled.set(findItem.id, growing.text.slice(0, growing.sentLength));
      this.#growing.delete(findItem.id);
    } else if (growing) {
      growing.item = findItem;
      growing.text = text;
      this.#hasUnsentText = true;
    } else {
      this.#growing.set(findItem.id, {
        item: findItem,
        text,
        sentLength: undefined,
        storedLength: 0,
      });
    }
  }

  has(id: string): boolean {
    return this.#growing.has(id);
  }

  item(id: string): Item | undefined {
    return this.#growing.get(id)?.item;
  }

  getLength(id: string): number | undefined {
    return this.#growing.get(id)?.text.length;
  }

  /**
   * Whether a stored item must be sent whole, because subscribers do not have it or do not know that it has
   * settled.
   */
  mustSend(id: string, length: number | undefined): boolean {
    return length === undefined || !this.#sentGrowing.has(id);
  }

  /** The text that subscribers have of an item that has settled since it was last published. */
  getSentText(id: string): string | undefined {
    return this.#sentOfSettled.get(id);
  }

  /** Records that a stored item was sent, as settled or as growing with this much of its text. */
  markSent(id: string, length: number | undefined): void {
    if (length === undefined) {
      this.#sentGrowing.delete(id);
      this.#sentOfSettled.delete(id);
      return;
    }
    this.#sentGrowing.add(id);
    const growing = this.#growing.get(id);
    if (!growing) return;
    growing.storedLength = length;
    growing.sentLength ??= length;
    this.#hasUnsentText ||= growing.text.length > growing.sentLength;
  }

  /** The text that was added since the last call, for every subscriber that has the items. */
  takePieces(): TextPiece[] {
    if (!this.#hasUnsentText) return [];
    this.#hasUnsentText = false;
    const pieces: TextPiece[] = [];
    for (const [item, growing] of this.#growing) {
      const { text, sentLength } = growing;
      if (sentLength === undefined || text.length <= sentLength) continue;
      pieces.push(new TextPiece(this.#session, item, sentLength, text.slice(sentLength)));
      growing.sentLength = text.length;
    }
    return pieces;
  }

  /** The text beyond the stored items, for a client that has just read those items. */
  getCatchUpPieces(): TextPiece[] {
    const pieces: TextPiece[] = [];
    for (const [item, { text, sentLength, storedLength }] of this.#growing) {
      if (sentLength === undefined || sentLength <= storedLength) continue;
      const added = text.slice(storedLength, sentLength);
      pieces.push(new TextPiece(this.#session, item, storedLength, added));
    }
    return pieces;
  }
}
