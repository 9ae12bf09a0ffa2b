import type { CutBody, ItemsPage } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import { replaceGrowingText } from "@signalbox/timeline/view";
import type { Frame, ItemsFrame, TextFrame } from "../contract.ts";
import { ChangeNotifier, type FrameScheduler } from "../view/change-notifier.ts";
import { BoardView } from "../view/board-view.ts";
import { getCutGrowingText } from "../view/growing.ts";
import { type ApplyResult, SessionView } from "../view/session-view.ts";

/** The calls that a watched session needs. */
export interface SessionReader {
  items(session: string, range: { before?: number; limit?: number }): Promise<ItemsPage<Item>>;
  item(session: string, id: string): Promise<Item>;
  body(cut: CutBody): Promise<string>;
}

/** A live view. `close` stops the updates; the view keeps its last state. */
export interface Watch<View> extends Disposable {
  readonly view: View;
  /**
   * Calls the listener when the view has changed, once for several changes. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: () => void): () => void;
  /** Increases with each such call. */
  readonly version: number;
  close(): void;
}

/** The delay before an item with a gap is read once more. */
const REREAD_MS = 150;
const PAGE = 100;

/** A view and its watchers, who share it. */
class Watched<View> {
  readonly view: View;
  readonly changes: ChangeNotifier;
  watchers = 0;

  constructor(view: View, schedule: FrameScheduler) {
    this.view = view;
    this.changes = new ChangeNotifier(schedule);
  }

  watch(left: () => void): Watch<View> {
    const { view, changes } = this;
    this.watchers++;
    const ends: (() => void)[] = [];
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      for (const end of ends) end();
      if (--this.watchers === 0) left();
    };
    return {
      view,
      subscribe(listener) {
        const end = changes.subscribe(listener);
        ends.push(end);
        return end;
      },
      get version() {
        return changes.version;
      },
      close,
      [Symbol.dispose]: close,
    };
  }
}

export class WatchedBoard extends Watched<BoardView> {
  constructor(schedule: FrameScheduler) {
    super(new BoardView(), schedule);
  }
}

/** A session's view, and the calls that fill its gaps. */
export class WatchedSession extends Watched<SessionView> {
  readonly #reader: SessionReader;

  constructor(id: string, reader: SessionReader, schedule: FrameScheduler) {
    super(new SessionView(id), schedule);
    this.#reader = reader;
  }

  apply(frame: ItemsFrame | TextFrame | Frame<"gone">): void {
    this.#after(this.view.apply(frame), 0);
  }

  /** Loads a page of older items. Resolves to whether there are still older ones. */
  async loadOlder(limit = PAGE): Promise<boolean> {
    const asked = this.view.beginOlderPage();
    if (!asked) return this.view.hasOlder;
    let page: ItemsPage<Item> | undefined;
    try {
      page = await this.#reader.items(this.view.id, { before: asked.before, limit });
    } finally {
      this.#after(this.view.addOlderPage(asked, page), 0);
    }
    return this.view.hasOlder;
  }

  #after({ changed, reread }: ApplyResult, delayMs: number): void {
    if (changed) this.changes.notify();
    for (const id of reread) setTimeout(() => void this.#reread(id), delayMs);
  }

  async #reread(id: string): Promise<void> {
    const item = await this.#whole(id).catch(() => undefined); // The next connection loads it.
    this.#after(this.view.reread(id, item), REREAD_MS);
  }

  async #whole(id: string): Promise<Item> {
    const item = await this.#reader.item(this.view.id, id);
    const cut = getCutGrowingText(item);
    return cut ? replaceGrowingText(item, await this.#reader.body(cut)) : item;
  }
}
