import { growingText, type Item } from "@signalbox/timeline";

/** Text reaches subscribers at most so often. */
export const LIVE_TEXT_INTERVAL_MS = 33;
/** So much later when no line comes to go out with. */
export const IDLE_DELAY_MS = 12;

interface GrowingText {
  item: Item;
  text: string;
  /** How much of it subscribers have, once they have the item; undefined: they do not know it yet. */
  sentLength: number | undefined;
  storedLength: number;
}

/** The texts of a session that are being written, and how much of each was sent. */
export class LiveText {
  readonly #session: string;
  readonly #growing = new Map<string, GrowingText>();
  /** Items that subscribers have as growing, and not yet as settled. */
  readonly #sentGrowing = new Set<string>();
  #hasUnsentText = false;

  constructor(session: string) {
    this.#session = session;
  }

  /** An item changed: if its text grows, there is more to tell; if it has settled, no more. */
  update(findItem: Item): void {
    const text = growingText(findItem);
    const growing = this.#growing.get(findItem.id);
    if (text === undefined) {
      if (growing) this.#growing.delete(findItem.id);
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

  /** Whether an item that was stored goes out whole: nobody has it yet, or nobody has it settled. */
  mustSend(id: string, length: number | undefined): boolean {
    return length === undefined || !this.#sentGrowing.has(id);
  }

  /** The item was stored, and goes out if it is news: settled, or growing with so much of its text. */
  markSent(id: string, length: number | undefined): void {
    if (length === undefined) {
      this.#sentGrowing.delete(id);
      return;
    }
    this.#sentGrowing.add(id);
    const growing = this.#growing.get(id);
    if (!growing) return;
    growing.storedLength = length;
    growing.sentLength ??= length;
    this.#hasUnsentText ||= growing.text.length > growing.sentLength;
  }

  /** What is new since the last call, as frames for everybody who has the items. */
  takeFrames(): string[] {
    if (!this.#hasUnsentText) return [];
    this.#hasUnsentText = false;
    const frames: string[] = [];
    for (const [item, growing] of this.#growing) {
      const { text, sentLength } = growing;
      if (sentLength === undefined || text.length <= sentLength) continue;
      frames.push(this.#createFrame(item, sentLength, text));
      growing.sentLength = text.length;
    }
    return frames;
  }

  /** For a client that has just read the stored items: the text beyond them that the others have. */
  getCatchUpFrames(): string[] {
    const frames: string[] = [];
    for (const [item, { text, sentLength, storedLength }] of this.#growing) {
      if (sentLength === undefined || sentLength <= storedLength) continue;
      frames.push(this.#createFrame(item, storedLength, text.slice(0, sentLength)));
    }
    return frames;
  }

  #createFrame(item: string, at: number, text: string): string {
    const session = this.#session;
    return JSON.stringify({ type: "text", session, item, at, text: text.slice(at) });
  }
}
