import type { ItemRow, Store } from "../log/store.ts";
import { frameBytes } from "./frame-bytes.ts";
import type { Outlet } from "./outlet.ts";

/** A page of a catch-up, in bytes of JSON. */
const PAGE = 256 * 1024;
/** The newest items that a client begins with. */
const FIRST_PAGE = 100;
/** Who has missed more items than this begins anew with the newest page. */
const MOST_MISSED = 1000;

/** What of a session can be watched. */
export interface Watchable {
  readonly id: string;
  /** `epoch` and `rev` of what is stored and was published. */
  readonly epoch: string;
  readonly rev: number;
  /** Live text beyond what is stored. */
  textSoFar(): string[];
}

/** One client's view of one session: first what it missed, then what happens. */
export class Watch {
  readonly session: Watchable;
  readonly #store: Store;
  readonly #outlet: Outlet;
  /** Everything up to this revision was sent. */
  #rev: number;
  #live = false;
  #over = false;

  constructor(
    session: Watchable,
    store: Store,
    outlet: Outlet,
    has?: { epoch: string; rev: number },
  ) {
    this.session = session;
    this.#store = store;
    this.#outlet = outlet;
    const known = has && has.epoch === session.epoch && has.rev <= session.rev;
    this.#rev = known ? has.rev : -1;
    void this.#catchUp();
  }

  /** Stored items, newest revision last. One who is behind or catching up finds them in the store. */
  publish(frame: string): void {
    if (!this.#isLive || this.session.rev <= this.#rev) return; // it read them before they were published
    const bytes = frameBytes(frame);
    if (bytes > PAGE || !this.#outlet.fits(bytes)) {
      this.#fallBack(); // in pages
      return;
    }
    this.#outlet.send(frame);
    this.#rev = this.session.rev;
  }

  text(frame: string): void {
    if (!this.#isLive) return;
    if (this.#outlet.fits(frameBytes(frame))) this.#outlet.send(frame);
    else this.#fallBack();
  }

  end(): void {
    this.#over = true;
  }

  get #isLive(): boolean {
    return this.#live && !this.#over;
  }

  #fallBack(): void {
    this.#live = false;
    void this.#catchUp();
  }

  /** Ends when there is nothing in the store that was not sent: in that same moment it is live. */
  async #catchUp(): Promise<void> {
    try {
      await this.#outlet.room(PAGE);
      if (this.#rev < 0 || (await this.#missedTooMuch())) await this.#begin();
      do await this.#sendMissed();
      while (!this.#gone && !(await this.#goLive()));
    } catch {
      this.#over = true; // the store is gone; the client will come again
    }
  }

  async #sendMissed(): Promise<void> {
    for (;;) {
      await this.#outlet.room(PAGE);
      if (this.#gone) return;
      const { rev } = this.session;
      const rows = await this.#store.itemsAfterRev(this.session.id, this.#rev, PAGE);
      if (this.#gone) return;
      if (rows.length === 0) this.#rev = Math.max(this.#rev, rev);
      else await this.#sendPage(rows);
      if (rows.length === 0 && this.session.rev <= this.#rev) return;
    }
  }

  /** False: it had to wait for room, and there may be something new. */
  async #goLive(): Promise<boolean> {
    const frames = [this.#frame([], this.#rev, false), ...this.session.textSoFar()];
    const bytes = frames.reduce((sum, frame) => sum + frameBytes(frame), 0);
    if (!this.#outlet.fits(bytes)) {
      await this.#outlet.room(bytes);
      return false;
    }
    this.#live = true;
    for (const frame of frames) this.#outlet.send(frame);
    return true;
  }

  async #missedTooMuch(): Promise<boolean> {
    return (await this.#store.countItems(this.session.id, this.#rev)) > MOST_MISSED;
  }

  async #begin(): Promise<void> {
    const { rev } = this.session;
    const rows = await this.#store.itemsBefore(this.session.id, undefined, FIRST_PAGE + 1);
    if (this.#gone) return;
    const page = newest(rows);
    this.#rev = Math.max(rev, ...page.map((row) => row.rev)); // what is newer was read with it
    await this.#put(this.#frame(page, this.#rev, true, { older: page.length < rows.length }));
  }

  async #sendPage(rows: readonly ItemRow[]): Promise<void> {
    this.#rev = rows.at(-1)?.rev ?? this.#rev;
    await this.#put(this.#frame(rows, this.#rev, true));
  }

  /** Other sessions of the same client may have taken the room that there was. */
  async #put(frame: string): Promise<void> {
    await this.#outlet.room(frameBytes(frame));
    if (!this.#gone) this.#outlet.send(frame);
  }

  #frame(rows: readonly ItemRow[], rev: number, more: boolean, reset?: { older: boolean }): string {
    const { id, epoch } = this.session;
    const jsons = rows.map(({ json }) => json);
    return itemsFrame({ session: id, epoch, rev, more, ...(reset && { reset }) }, jsons);
  }

  get #gone(): boolean {
    return this.#over || this.#outlet.closed;
  }
}

/** As many of the last as make a page. */
function newest(rows: readonly ItemRow[]): readonly ItemRow[] {
  let [bytes, from] = [0, rows.length];
  while (from > 0 && rows.length - from < FIRST_PAGE) {
    bytes += Buffer.byteLength(rows[from - 1]?.json ?? "");
    if (bytes > PAGE && from < rows.length) break;
    from--;
  }
  return rows.slice(from);
}

/** Items are JSON already: they are put into the frame as they are. */
export function itemsFrame(
  facts: { session: string; epoch: string; rev: number; more: boolean; reset?: { older: boolean } },
  jsons: readonly string[],
): string {
  const head = JSON.stringify({ type: "items", ...facts });
  return `${head.slice(0, -1)},"items":[${jsons.join(",")}]}`;
}
