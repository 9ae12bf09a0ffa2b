import type { ItemRow, Store } from "../store/store.ts";
import { countFrameBytes } from "./frame-bytes.ts";
import type { ClientChannel } from "./client-channel.ts";
import type { TextPiece } from "./text-piece.ts";

/** The size of a page of a catch-up, in bytes of JSON. */
const PAGE_BYTES = 256 * 1024;
/** How many of the newest items a new client is sent first. */
const FIRST_PAGE_ITEMS = 100;
/** A client that has missed more items than this starts over with the newest page. */
const MAX_MISSED_ITEMS = 1000;

/** The parts of a session that a subscription reads. */
export interface Watchable {
  readonly id: string;
  /** The `epoch` and `rev` of the stored items that were published. */
  readonly epoch: string;
  readonly rev: number;
  /** The live text beyond what is stored. */
  getUnstoredText(): TextPiece[];
}

/** What a client has of a session, and what it understands. */
export interface WatchOptions {
  readonly cursor?: { readonly epoch: string; readonly rev: number };
  /** The client understands text that continues what it was sent before. */
  readonly short?: boolean;
}

/** Items that were stored: whole, and for clients that have the beginning of their texts. */
export interface ItemsUpdate {
  readonly frame: string;
  readonly shortFrame: string;
}

/** One client's view of one session: sends what the client missed first, and then what happens. */
export class SessionSubscription {
  readonly session: Watchable;
  readonly #store: Store;
  readonly #channel: ClientChannel;
  readonly #isShort: boolean;
  /** Everything up to this revision was sent. */
  #rev: number;
  #caughtUp = false;
  #ended = false;

  constructor(
    session: Watchable,
    store: Store,
    channel: ClientChannel,
    { cursor, short = false }: WatchOptions = {},
  ) {
    this.session = session;
    this.#isShort = short;
    this.#store = store;
    this.#channel = channel;
    const known = cursor && cursor.epoch === session.epoch && cursor.rev <= session.rev;
    this.#rev = known ? cursor.rev : -1;
    void this.#catchUp();
  }

  /**
   * Sends stored items, the newest revision last. A client that is behind or still catching up reads them
   * from the store later.
   */
  publish(update: ItemsUpdate): void {
    // The client's catch-up read these items before they were published.
    if (!this.#isLive || this.session.rev <= this.#rev) return;
    const frame = this.#isShort ? update.shortFrame : update.frame;
    const bytes = countFrameBytes(frame);
    if (bytes > PAGE_BYTES || !this.#channel.fits(bytes)) {
      this.#startCatchUp(); // catches up in pages
      return;
    }
    this.#channel.send(frame);
    this.#rev = this.session.rev;
  }

  sendText(piece: TextPiece): void {
    if (!this.#isLive) return;
    if (this.#channel.fits(countFrameBytes(piece.frame))) this.#sendPiece(piece);
    else this.#startCatchUp();
  }

  #sendPiece(piece: TextPiece): void {
    const isShort = this.#isShort && piece.continues(this.#channel.lastText);
    this.#channel.send(isShort ? piece.shortFrame : piece.frame);
    this.#channel.lastText = piece;
  }

  end(): void {
    this.#ended = true;
  }

  get #isLive(): boolean {
    return this.#caughtUp && !this.#ended;
  }

  #startCatchUp(): void {
    this.#caughtUp = false;
    void this.#catchUp();
  }

  /** Reads from the store until nothing is left that was not sent; at that moment the subscription becomes live. */
  async #catchUp(): Promise<void> {
    try {
      await this.#channel.waitForRoom(PAGE_BYTES);
      if (this.#rev < 0 || (await this.#missedTooMuch())) await this.#sendNewestPage();
      do await this.#sendMissed();
      while (!this.#isEnded && !(await this.#goLive()));
    } catch {
      this.#ended = true; // the store is closed, and the client will reconnect
    }
  }

  async #sendMissed(): Promise<void> {
    for (;;) {
      await this.#channel.waitForRoom(PAGE_BYTES);
      if (this.#isEnded) return;
      const { rev } = this.session;
      const rows = await this.#store.itemsAfterRev(this.session.id, this.#rev, PAGE_BYTES);
      if (this.#isEnded) return;
      if (rows.length === 0) this.#rev = Math.max(this.#rev, rev);
      else await this.#sendPage(rows);
      if (rows.length === 0 && this.session.rev <= this.#rev) return;
    }
  }

  /**
   * Makes the subscription live. Returns false if it had to wait for room, because something new may have been
   * stored meanwhile.
   */
  async #goLive(): Promise<boolean> {
    const items = this.#createFrame([], this.#rev, false);
    const pieces = this.session.getUnstoredText();
    const frames = [items, ...pieces.map(({ frame }) => frame)];
    const bytes = frames.reduce((sum, frame) => sum + countFrameBytes(frame), 0);
    if (!this.#channel.fits(bytes)) {
      await this.#channel.waitForRoom(bytes);
      return false;
    }
    this.#caughtUp = true;
    this.#channel.send(items);
    for (const piece of pieces) this.#sendPiece(piece);
    return true;
  }

  async #missedTooMuch(): Promise<boolean> {
    return (await this.#store.countItems(this.session.id, this.#rev)) > MAX_MISSED_ITEMS;
  }

  async #sendNewestPage(): Promise<void> {
    const { rev } = this.session;
    const rows = await this.#store.itemsBefore(this.session.id, undefined, FIRST_PAGE_ITEMS + 1);
    if (this.#isEnded) return;
    const page = takeNewestPage(rows);
    this.#rev = Math.max(rev, ...page.map((row) => row.rev)); // newer items were read in the same page
    await this.#sendWhenRoom(
      this.#createFrame(page, this.#rev, true, { older: page.length < rows.length }),
    );
  }

  async #sendPage(rows: readonly ItemRow[]): Promise<void> {
    this.#rev = rows.at(-1)?.rev ?? this.#rev;
    await this.#sendWhenRoom(this.#createFrame(rows, this.#rev, true));
  }

  /** Sends a frame once the client has room for it, which other sessions of the same client may use up first. */
  async #sendWhenRoom(frame: string): Promise<void> {
    await this.#channel.waitForRoom(countFrameBytes(frame));
    if (!this.#isEnded) this.#channel.send(frame);
  }

  #createFrame(
    rows: readonly ItemRow[],
    rev: number,
    more: boolean,
    reset?: { older: boolean },
  ): string {
    const { id, epoch } = this.session;
    const jsons = rows.map(({ json }) => json);
    return createItemsFrame({ session: id, epoch, rev, more, ...(reset && { reset }) }, jsons);
  }

  get #isEnded(): boolean {
    return this.#ended || this.#channel.closed;
  }
}

/** The newest rows that fit into one page. */
function takeNewestPage(rows: readonly ItemRow[]): readonly ItemRow[] {
  let [bytes, from] = [0, rows.length];
  while (from > 0 && rows.length - from < FIRST_PAGE_ITEMS) {
    bytes += Buffer.byteLength(rows[from - 1]?.json ?? "");
    if (bytes > PAGE_BYTES && from < rows.length) break;
    from--;
  }
  return rows.slice(from);
}

/** What a frame says beside its items. */
interface ItemsFacts {
  readonly session: string;
  readonly epoch: string;
  readonly rev: number;
  readonly more: boolean;
  readonly reset?: { readonly older: boolean };
  readonly continued?: Readonly<Record<string, number>>;
}

/** Builds a frame from items that are JSON already; they are inserted as they are. */
export function createItemsFrame(facts: ItemsFacts, jsons: readonly string[]): string {
  const head = JSON.stringify({ type: "items", ...facts });
  return `${head.slice(0, -1)},"items":[${jsons.join(",")}]}`;
}
