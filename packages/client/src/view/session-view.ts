import type { Item } from "@signalbox/timeline";
import { replaceGrowingText } from "@signalbox/timeline/view";
import type { Frame, ItemsFrame, TextFrame } from "../contract.ts";
import { EarlyText } from "./early-text.ts";
import { cutGrowingText, insertPiece, wholeGrowingText } from "./growing.ts";
import { OrderedItems } from "./ordered-items.ts";

/** What applying a frame came to. `reread`: items whose text has a gap and must be asked for again. */
export interface ApplyResult {
  readonly changed: boolean;
  readonly reread: readonly string[];
}
const nothing: ApplyResult = { changed: false, reread: [] };
const changed: ApplyResult = { changed: true, reread: [] };

/**
 * A session's conversation as far as it is held here: the newest items, without holes. State alone:
 * frames go in by `apply`; whoever feeds it does what `ApplyResult` asks for.
 */
export class SessionView {
  readonly id: string;
  #items = new OrderedItems();
  /** What a reset has brought so far: shown when it is whole. */
  #coming: OrderedItems | undefined;
  #comingOlder = false;
  readonly #early = new EarlyText();
  readonly #rereading = new Set<string>();
  /** What changed before the first item while a page of older ones was on its way. */
  #late: Map<string, Item> | undefined;
  #has: { epoch: string; rev: number } | undefined;
  #older = false;
  #resets = 0;
  #gone = false;
  #catchingUp: { readonly from: number; readonly at: number } | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** `loading`: nothing came yet; `gone`: the session was deleted, or never was. */
  get state(): "loading" | "ready" | "gone" {
    if (this.#gone) return "gone";
    return this.#has ? "ready" : "loading";
  }

  /** In their order; the same array until an item comes or goes. */
  get ids(): readonly string[] {
    return this.#items.ids;
  }

  /** The same object until this item changes. */
  item(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** Whether there are items before the first one. */
  get older(): boolean {
    return this.#older;
  }

  /** What to tell the hub when watching (again). */
  get has(): { readonly epoch: string; readonly rev: number } | undefined {
    return this.#has;
  }

  /** While frames of a catch-up come: the revision that was held before, and the one that is reached. */
  get catchingUp(): { readonly from: number; readonly at: number } | undefined {
    return this.#catchingUp;
  }

  apply(frame: ItemsFrame | TextFrame | Frame<"gone">): ApplyResult {
    switch (frame.type) {
      case "items":
        return this.#applyItems(frame);
      case "text":
        return this.#applyText(frame);
      case "gone":
        this.#gone = true;
        return changed;
      default:
        return frame satisfies never;
    }
  }

  /** A new connection begins: what the last one had not finished will come again. */
  reconnect(): void {
    this.#coming = undefined;
    this.#catchingUp = undefined;
    this.#early.clear();
    this.#rereading.clear();
  }

  /** Before a page of older items is asked for. Gives what to ask with; undefined: there is none. */
  beginOlder(): { readonly before: number; readonly resets: number } | undefined {
    if (!this.#older || this.#late) return undefined;
    this.#late = new Map();
    return { before: this.#items.floor, resets: this.#resets };
  }

  /** The page has come, or (undefined) will not. */
  endOlder(
    asked: { resets: number },
    page?: { items: readonly Item[]; older: boolean },
  ): ApplyResult {
    const late = this.#late;
    this.#late = undefined;
    if (!page || asked.resets !== this.#resets) return nothing; // it is of another time
    for (const item of page.items) {
      const news = late?.get(item.id);
      this.#items.put(news && news.rev > item.rev ? news : item);
    }
    this.#older = page.older;
    return changed;
  }

  /** Gives back the memory of all but the last items; they can be loaded again. */
  forgetOlder(keep: number): void {
    if (this.#late || !this.#items.keepLast(keep)) return;
    this.#older = true;
  }

  /** An item that was asked for again has come, with its text whole; undefined: it could not be had. */
  reread(id: string, item: Item | undefined): ApplyResult {
    if (!this.#rereading.delete(id)) return nothing;
    if (!item) return nothing;
    const held = this.#items.get(id);
    if (!held || item.rev < held.rev) return this.#placeEarly(id);
    const [mine, theirs] = [wholeGrowingText(held), wholeGrowingText(item)];
    const lags = mine !== undefined && theirs !== undefined && mine.startsWith(theirs);
    this.#items.replace(lags ? replaceGrowingText(item, mine) : item);
    const { reread } = this.#placeEarly(id);
    return { changed: true, reread };
  }

  #applyItems(frame: ItemsFrame): ApplyResult {
    const page = frame.reset && frame.items.toSorted((a, b) => a.order - b.order);
    if (frame.reset) {
      this.#coming = new OrderedItems();
      this.#comingOlder = frame.reset.older;
    }
    this.#catchingUp =
      frame.more && !this.#coming ? { from: this.#has?.rev ?? 0, at: frame.rev } : undefined;
    const reread = (page ?? frame.items).flatMap((item) => this.#put(item));
    if (frame.more) return { changed: !this.#coming && frame.items.length > 0, reread };
    if (this.#coming) this.#finishReset(frame.epoch);
    this.#has = { epoch: frame.epoch, rev: frame.rev };
    return { changed: true, reread };
  }

  #finishReset(epoch: string): void {
    const [before, now] = [this.#items, this.#coming ?? new OrderedItems()];
    if (epoch === this.#has?.epoch) {
      for (const id of now.ids) keepIdentity(before.get(id), now);
    }
    this.#items = now;
    this.#coming = undefined;
    this.#older = this.#comingOlder;
    this.#late?.clear();
    this.#resets++;
  }

  #put(item: Item): readonly string[] {
    const items = this.#coming ?? this.#items;
    const older = this.#coming ? this.#comingOlder : this.#older;
    if (older && items.size > 0 && item.order < items.floor && !items.get(item.id)) {
      this.#late?.set(item.id, item); // its page is not here: alone it would stand beside a hole
      return [];
    }
    items.put(item);
    return this.#placeEarly(item.id).reread;
  }

  #applyText(piece: TextFrame): ApplyResult {
    const items = this.#coming ?? this.#items;
    const item = items.get(piece.item);
    if (!item || this.#rereading.has(piece.item)) {
      this.#early.keep(piece);
      return nothing;
    }
    if (cutGrowingText(item)) return this.#ask(piece);
    const text = wholeGrowingText(item);
    if (text === undefined) return nothing; // it has settled: it came late
    const longer = insertPiece(text, piece.at, piece.text);
    if (longer === undefined) return this.#ask(piece);
    if (longer === text) return nothing;
    items.replace(replaceGrowingText(item, longer));
    return changed;
  }

  #ask(piece: TextFrame): ApplyResult {
    this.#early.keep(piece);
    this.#rereading.add(piece.item);
    return { changed: false, reread: [piece.item] };
  }

  #placeEarly(id: string): ApplyResult {
    if (this.#rereading.has(id)) return nothing;
    let any = false;
    const reread: string[] = [];
    for (const piece of this.#early.take(id)) {
      const applied = this.#applyText(piece);
      any ||= applied.changed;
      reread.push(...applied.reread);
    }
    return { changed: any, reread };
  }
}

/** An item that a reset brought again as it was is the object that it was. */
function keepIdentity(held: Item | undefined, now: OrderedItems): void {
  const news = held && now.get(held.id);
  if (!news || news.rev !== held.rev) return;
  const [mine, theirs] = [wholeGrowingText(held), wholeGrowingText(news)];
  if (mine === theirs || (mine !== undefined && theirs !== undefined && mine.startsWith(theirs))) {
    now.replace(held);
  }
}
