import type { Item } from "@signalbox/timeline";
import { replaceGrowingText } from "@signalbox/timeline/view";
import type { Frame, ItemsFrame, TextFrame } from "../contract.ts";
import { EarlyText } from "./early-text.ts";
import { getCutGrowingText, insertPiece, getWholeGrowingText } from "./growing.ts";
import { OrderedItems } from "./ordered-items.ts";

/** The result of applying a frame. `reread`: items whose text has a gap and must be read again. */
export interface ApplyResult {
  readonly changed: boolean;
  readonly reread: readonly string[];
}
const nothing: ApplyResult = { changed: false, reread: [] };
const changed: ApplyResult = { changed: true, reread: [] };

/**
 * The loaded part of a session's conversation: the newest items, without gaps. This is state only:
 * frames are passed to `apply`, and the caller acts on `ApplyResult`.
 */
export class SessionView {
  readonly id: string;
  #items = new OrderedItems();
  /** The items of a reset so far, which are shown when it is complete. */
  #resetItems: OrderedItems | undefined;
  #resetHasOlder = false;
  readonly #earlyText = new EarlyText();
  readonly #rereading = new Set<string>();
  /** Items that have settled, and whose text is not here. They are read until they come. */
  readonly #incomplete = new Set<string>();
  /** Changes of items before the first one, while a page of older items is being loaded. */
  #changesDuringLoad: Map<string, Item> | undefined;
  #cursor: { epoch: string; rev: number } | undefined;
  #hasOlder = false;
  #resets = 0;
  #isRemoved = false;
  #catchingUp: { readonly from: number; readonly at: number } | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** `loading`: nothing has come yet; `gone`: the session was deleted or never existed. */
  get state(): "loading" | "ready" | "gone" {
    if (this.#isRemoved) return "gone";
    return this.#cursor ? "ready" : "loading";
  }

  /** The ids in order. The array stays the same until an item is added or removed. */
  get ids(): readonly string[] {
    return this.#items.ids;
  }

  /** Returns an item. The object stays the same until the item changes. */
  item(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** Whether there are items before the first one. */
  get hasOlder(): boolean {
    return this.#hasOlder;
  }

  /** The revision to send to the hub when watching again; undefined: the hub is to send everything. */
  get cursor(): { readonly epoch: string; readonly rev: number } | undefined {
    return this.#incomplete.size > 0 ? undefined : this.#cursor;
  }

  /** The revision at the start of a catch-up and the current one, while its frames come. */
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
        this.#isRemoved = true;
        return changed;
      default:
        return frame satisfies never;
    }
  }

  /** Begins a new connection, which sends again whatever the last one had not finished. */
  reconnect(): void {
    this.#resetItems = undefined;
    this.#catchingUp = undefined;
    this.#earlyText.clear();
    this.#rereading.clear();
  }

  /**
   * Begins to load a page of older items. Returns the parameters of the request; undefined if there
   * are no older items.
   */
  beginOlderPage(): { readonly before: number; readonly resets: number } | undefined {
    if (!this.#hasOlder || this.#changesDuringLoad) return undefined;
    this.#changesDuringLoad = new Map();
    return { before: this.#items.floor, resets: this.#resets };
  }

  /** Adds the page of older items, or nothing (undefined) if it could not be loaded. */
  addOlderPage(
    asked: { resets: number },
    page?: { items: readonly Item[]; older: boolean },
  ): ApplyResult {
    const late = this.#changesDuringLoad;
    this.#changesDuringLoad = undefined;
    // The page belongs to the state before a reset.
    if (!page || asked.resets !== this.#resets) return nothing;
    for (const item of page.items) {
      const newer = late?.get(item.id);
      this.#items.put(newer && newer.rev > item.rev ? newer : item);
    }
    this.#hasOlder = page.older;
    return changed;
  }

  /** Drops all but the last items, to free memory. They can be loaded again. */
  forgetOlder(keep: number): void {
    if (this.#changesDuringLoad || !this.#items.trimToLast(keep)) return;
    this.#hasOlder = true;
  }

  /**
   * Applies an item that was read again, with its whole text; undefined if it could not be read.
   */
  reread(id: string, item: Item | undefined): ApplyResult {
    if (!this.#rereading.delete(id)) return nothing;
    if (!item) return this.#incomplete.has(id) ? this.#rereadIncomplete(id) : nothing;
    this.#incomplete.delete(id);
    const current = this.#items.get(id);
    if (!current) this.#changesDuringLoad?.set(id, item);
    if (!current || item.rev < current.rev) return this.#insertEarlyText(id);
    const [mine, theirs] = [getWholeGrowingText(current), getWholeGrowingText(item)];
    const isBehind = mine !== undefined && theirs !== undefined && mine.startsWith(theirs);
    this.#items.replace(isBehind ? replaceGrowingText(item, mine) : item);
    const { reread } = this.#insertEarlyText(id);
    return { changed: true, reread };
  }

  #applyItems(frame: ItemsFrame): ApplyResult {
    const page = frame.reset && frame.items.toSorted((a, b) => a.order - b.order);
    if (frame.reset) {
      this.#resetItems = new OrderedItems();
      this.#resetHasOlder = frame.reset.older;
    }
    this.#catchingUp =
      frame.more && !this.#resetItems ? { from: this.#cursor?.rev ?? 0, at: frame.rev } : undefined;
    const reread = (page ?? frame.items).flatMap((item) => {
      const at = frame.continued?.[item.id];
      return at === undefined ? this.#put(item) : this.#putContinued(item, at);
    });
    if (frame.more) return { changed: !this.#resetItems && frame.items.length > 0, reread };
    if (this.#resetItems) this.#finishReset(frame.epoch);
    this.#cursor = { epoch: frame.epoch, rev: frame.rev };
    return { changed: true, reread };
  }

  /** Puts an item whose text was sent from a length on. */
  #putContinued(item: Item, at: number): readonly string[] {
    const current = this.#items.get(item.id);
    const text = current && getWholeGrowingText(current);
    if (item.kind !== "text" && item.kind !== "thinking")
      return this.#rereadIncomplete(item.id).reread;
    if (text === undefined || text.length < at) return this.#rereadIncomplete(item.id).reread;
    return this.#put({ ...item, text: text.slice(0, at) + item.text });
  }

  #rereadIncomplete(id: string): ApplyResult {
    this.#incomplete.add(id);
    this.#rereading.add(id);
    return { changed: false, reread: [id] };
  }

  #finishReset(epoch: string): void {
    const [before, now] = [this.#items, this.#resetItems ?? new OrderedItems()];
    if (epoch === this.#cursor?.epoch) {
      for (const id of now.ids) keepIdentity(before.get(id), now);
    }
    this.#items = now;
    this.#incomplete.clear();
    this.#resetItems = undefined;
    this.#hasOlder = this.#resetHasOlder;
    this.#changesDuringLoad?.clear();
    this.#resets++;
  }

  #put(item: Item): readonly string[] {
    const items = this.#resetItems ?? this.#items;
    const older = this.#resetItems ? this.#resetHasOlder : this.#hasOlder;
    if (older && items.size > 0 && item.order < items.floor && !items.get(item.id)) {
      this.#changesDuringLoad?.set(item.id, item); // Its page is not loaded: showing it would leave a gap.
      return [];
    }
    items.put(item);
    return this.#insertEarlyText(item.id).reread;
  }

  #applyText(piece: TextFrame): ApplyResult {
    const items = this.#resetItems ?? this.#items;
    const item = items.get(piece.item);
    if (!item || this.#rereading.has(piece.item)) {
      this.#earlyText.keep(piece);
      return nothing;
    }
    if (getCutGrowingText(item)) return this.#requestReread(piece);
    const text = getWholeGrowingText(item);
    if (text === undefined) return nothing; // The item is settled, so the text came late.
    const longer = insertPiece(text, piece.at, piece.text);
    if (longer === undefined) return this.#requestReread(piece);
    if (longer === text) return nothing;
    items.replace(replaceGrowingText(item, longer));
    return changed;
  }

  #requestReread(piece: TextFrame): ApplyResult {
    this.#earlyText.keep(piece);
    this.#rereading.add(piece.item);
    return { changed: false, reread: [piece.item] };
  }

  #insertEarlyText(id: string): ApplyResult {
    if (this.#rereading.has(id)) return nothing;
    let hasChanged = false;
    const reread: string[] = [];
    for (const piece of this.#earlyText.take(id)) {
      const applied = this.#applyText(piece);
      hasChanged ||= applied.changed;
      reread.push(...applied.reread);
    }
    return { changed: hasChanged, reread };
  }
}

/** Keeps the old object of an item that a reset brings unchanged. */
function keepIdentity(current: Item | undefined, now: OrderedItems): void {
  const update = current && now.get(current.id);
  if (!update || update.rev !== current.rev) return;
  const [mine, theirs] = [getWholeGrowingText(current), getWholeGrowingText(update)];
  if (mine === theirs || (mine !== undefined && theirs !== undefined && mine.startsWith(theirs))) {
    now.replace(current);
  }
}
