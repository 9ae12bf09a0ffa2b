import { growingText, type Item } from "@signalbox/timeline";

/** Text reaches subscribers at most so often. */
export const LIVE_MS = 33;
/** So much later when no line comes to go out with. */
export const LATER_MS = 12;

interface Growing {
  item: Item;
  text: string;
  /** How much of it subscribers have, once they have the item; undefined: they do not know it yet. */
  told: number | undefined;
  stored: number;
}

/** The texts of a session that are being written, and how much of each was told. */
export class LiveText {
  readonly #session: string;
  readonly #growing = new Map<string, Growing>();
  /** Items that subscribers have as growing, and not yet as settled. */
  readonly #announced = new Set<string>();
  #news = false;

  constructor(session: string) {
    this.#session = session;
  }

  /** An item changed: if its text grows, there is more to tell; if it has settled, no more. */
  grow(item: Item): void {
    const text = growingText(item);
    const growing = this.#growing.get(item.id);
    if (text === undefined) {
      if (growing) this.#growing.delete(item.id);
    } else if (growing) {
      growing.item = item;
      growing.text = text;
      this.#news = true;
    } else {
      this.#growing.set(item.id, { item, text, told: undefined, stored: 0 });
    }
  }

  knows(id: string): boolean {
    return this.#growing.has(id);
  }

  item(id: string): Item | undefined {
    return this.#growing.get(id)?.item;
  }

  lengthOf(id: string): number | undefined {
    return this.#growing.get(id)?.text.length;
  }

  /** Whether an item that was stored goes out whole: nobody has it yet, or nobody has it settled. */
  isNews(id: string, length: number | undefined): boolean {
    return length === undefined || !this.#announced.has(id);
  }

  /** The item was stored, and goes out if it is news: settled, or growing with so much of its text. */
  announce(id: string, length: number | undefined): void {
    if (length === undefined) {
      this.#announced.delete(id);
      return;
    }
    this.#announced.add(id);
    const growing = this.#growing.get(id);
    if (!growing) return;
    growing.stored = length;
    growing.told ??= length;
    this.#news ||= growing.text.length > growing.told;
  }

  /** What is new since the last call, as frames for everybody who has the items. */
  frames(): string[] {
    if (!this.#news) return [];
    this.#news = false;
    const frames: string[] = [];
    for (const [item, growing] of this.#growing) {
      const { text, told } = growing;
      if (told === undefined || text.length <= told) continue;
      frames.push(this.#frame(item, told, text));
      growing.told = text.length;
    }
    return frames;
  }

  /** For one who has just read the items as they are stored: the rest that all others have. */
  catchUp(): string[] {
    const frames: string[] = [];
    for (const [item, { text, told, stored }] of this.#growing) {
      if (told === undefined || told <= stored) continue;
      frames.push(this.#frame(item, stored, text.slice(0, told)));
    }
    return frames;
  }

  #frame(item: string, at: number, text: string): string {
    const session = this.#session;
    return JSON.stringify({ type: "text", session, item, at, text: text.slice(at) });
  }
}
