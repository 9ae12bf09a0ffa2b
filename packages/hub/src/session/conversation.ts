import {
  type Decoded,
  type LogMarker,
  type Line,
  lineText,
  formatLogMarker,
  parseLogMarker,
} from "@signalbox/protocol";
import {
  advance,
  type Item,
  collectUnfinishedBlocks,
  type MemoryPage,
  splitState,
  type Subagent,
  findAskingSubagent,
  type Summary,
  type TimelineEvent,
  type TimelineState,
} from "@signalbox/timeline";
import type { Change, LineRow, Store } from "../log/store.ts";
import { commitWhenWritable } from "../log/when-writable.ts";
import { cutBodies } from "./cut-bodies.ts";
import { LiveText } from "./live-text.ts";
import { readLine } from "./read-line.ts";
import { Words } from "./words.ts";
import { epochOf, saveState, type Stored } from "./stored.ts";

/** The effect of text that is being written is stored at most so often. */
const PARTIAL_MS = 250;
/** So many characters of lines make a good transaction: what is written of it fits into the writer's cache. */
const GOOD_BATCH = 1024 * 1024;
/** A disk that takes longer gets larger transactions. */
const PATIENCE_MS = 250;

/** A line as the link brings it. */
export interface Arrival {
  readonly seq: number | null;
  readonly run: string | null;
  readonly from: "agent" | "host" | "keeper";
  readonly at: number;
  readonly line: Line;
  /** Set: the line is too long to be read and lies in the store already; `line` is its beginning. */
  readonly kept?: KeptLine;
}

export interface KeptLine {
  readonly characters: number;
  readonly textBlob: string;
  readonly originalBlob: string | null;
  /** What makes blobs of its pieces, to be written with the line. */
  readonly changes: readonly Change[];
}

/** An item as it was stored, ready to be sent. */
export interface StoredItem {
  readonly id: string;
  readonly rev: number;
  readonly json: string;
  /** Its text still grows and is so long: what is added to it goes out as text. */
  readonly growing: number | undefined;
}

/** What a line brought, for whoever acts on it. */
export type Happening =
  | {
      readonly note: LogMarker;
      readonly run: string | null;
      readonly at: number;
      /** Of a subagent's ask: who that is. */
      readonly subagent?: Subagent | undefined;
    }
  | { readonly event: TimelineEvent };

/** Who owns a conversation: adds to its transactions, and hears what is stored. */
export interface Keeper {
  /** Changes that belong into the same transaction as these lines. */
  changesFor(happened: readonly Happening[]): Change[];
  /** …and those that are to be read off at each attempt. */
  offer(): Change[];
  stored(items: readonly StoredItem[]): void;
  acknowledge(seq: number): void;
  /** The store will not take it: nothing more is taken in. */
  failed(failure: unknown): void;
}

/**
 * One session's lines on their way to the disk: numbered, understood, stored, and only then told. One
 * transaction at a time; what arrives meanwhile goes into the next.
 */
export class Conversation {
  readonly session: string;
  readonly live: LiveText;
  readonly #store: Store;
  readonly #keeper: Keeper;
  #state: TimelineState;
  #seq: number;
  #pos: number;
  #storedSeq: number;
  #storedRev: number;
  #storedSummary: Summary;
  readonly #edition: number;
  /** The pages of the memory as they were stored. */
  #pages: readonly MemoryPage[];

  #rows: LineRow[] = [];
  #kept: Change[] = [];
  #changed = new Map<string, Item>();
  #happened: Happening[] = [];
  #urgent = false;
  #partial = false;
  #partialTimer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> | undefined;
  #committing: Promise<void> = Promise.resolve();
  #waitingCharacters = 0;
  readonly #close = new AbortController();
  /** The last number is not known for sure: the first line that comes says it. */
  #unsure: boolean;

  constructor(store: Store, session: string, keeper: Keeper, stored: Stored) {
    this.#store = store;
    this.session = session;
    this.#keeper = keeper;
    this.#state = stored.state;
    this.#seq = this.#storedSeq = stored.seq;
    this.#pos = stored.pos;
    this.#storedRev = stored.state.reduce.rev;
    this.#storedSummary = stored.state.reduce.summary;
    this.#edition = stored.edition;
    this.#pages = splitState(stored.state).pages;
    this.#unsure = stored.unsure === true;
    this.live = new LiveText(session);
  }

  /** The last line of the runner's that was taken in, stored or about to be. */
  get seq(): number {
    return this.#seq;
  }
  get storedSeq(): number {
    return this.#storedSeq;
  }
  get storedRev(): number {
    return this.#storedRev;
  }
  get storedSummary(): Summary {
    return this.#storedSummary;
  }
  get epoch(): string {
    return epochOf(this.#store, this.#edition);
  }
  get state(): TimelineState {
    return this.#state;
  }
  get summary(): Summary {
    return this.#state.reduce.summary;
  }

  /** Takes lines in. Those it has are dropped; after a gap nothing is taken, and false says so. */
  accept(arrivals: readonly Arrival[]): boolean {
    const words = new Words();
    let whole = true;
    for (const arrival of arrivals) {
      const { seq } = arrival;
      if (seq !== null) {
        if (seq <= this.#seq) continue;
        if (seq > this.#seq + 1 && !this.#unsure) {
          whole = false;
          break;
        }
        this.#unsure = false;
        this.#seq = seq;
      }
      if (words.take(arrival)) continue;
      this.#takeWords(words);
      if (words.take(arrival)) continue;
      this.#take(arrival, readLine(arrival.line, arrival.kept?.characters));
    }
    this.#takeWords(words);
    this.#schedule();
    return whole;
  }

  /** Settles when more lines are welcome: a transaction is being written, and the next one is large already. */
  async room(): Promise<void> {
    if (!this.#flushing || this.#waitingCharacters < GOOD_BATCH) return;
    await Promise.race([this.#committing.catch(() => {}), Bun.sleep(PATIENCE_MS)]);
  }

  #takeWords(words: Words): void {
    const said = words.give();
    if (said) this.#take(said.arrival, said.decoded);
  }

  /** A note of the hub's own. */
  note(line: string, run: string | null): void {
    this.accept([{ seq: null, run, from: "keeper", at: Date.now(), line }]);
  }

  #take(arrival: Arrival, decoded: Decoded): void {
    const { from, at } = arrival;
    const streamed = decoded.kind === "known" && decoded.message.type === "stream_event";
    if (decoded.kind === "known" && decoded.message.type === "keep_alive") return;
    const note = from === "keeper" ? parseLogMarker(decoded.raw) : undefined;
    const turnEnds = decoded.kind === "known" && decoded.message.type === "result";
    if (turnEnds || note?.subtype === "run_ended") this.#keepText(arrival);
    if (note) {
      const subagent =
        note.subtype === "ask_opened" ? findAskingSubagent(this.#state, note) : undefined;
      this.#happened.push({ note, run: arrival.run, at, subagent });
    }
    const step = advance(this.#state, { from, at, line: decoded });
    this.#state = step.state;
    for (const item of step.changed) this.#noteChange(item);
    if (streamed) {
      this.#partial = true;
      return;
    }
    for (const event of step.events) this.#happened.push({ event });
    const row = this.#row(arrival);
    this.#rows.push(row);
    this.#waitingCharacters += row.text.length;
    this.#urgent = true;
  }

  /** The deltas of what was cut off are nowhere else: they become a line of the log. */
  #keepText(end: Arrival): void {
    const blocks = collectUnfinishedBlocks(this.#state);
    if (blocks.length === 0) return;
    const line = formatLogMarker("text_kept", { blocks });
    const { run, at } = end;
    this.#take({ seq: null, run, from: "keeper", at, line }, readLine(line));
  }

  #noteChange(item: Item): void {
    if (!this.#changed.has(item.id) && !this.live.knows(item.id)) this.#urgent = true; // people wait for it
    this.#changed.set(item.id, item);
    this.live.grow(item);
  }

  #row({ seq, run, from, at, line, kept }: Arrival): LineRow {
    const flaws = typeof line === "string" ? undefined : line.flaws;
    if (kept) this.#kept.push(...kept.changes);
    return {
      session: this.session,
      pos: ++this.#pos,
      seq,
      run,
      from,
      at,
      text: lineText(line),
      droppedBytes: flaws?.droppedBytes ?? null,
      original: flaws?.original ?? null,
      characters: kept?.characters ?? null,
      textBlob: kept?.textBlob ?? null,
      originalBlob: kept?.originalBlob ?? null,
    };
  }

  #schedule(): void {
    if (this.#flushing || this.#close.signal.aborted) return;
    if (this.#urgent) {
      this.#flushing = this.#flush().catch((failure: unknown) => this.#fail(failure));
    } else if (this.#partial && this.#partialTimer === undefined) {
      this.#partialTimer = setTimeout(() => {
        this.#partialTimer = undefined;
        this.#urgent = true;
        this.#schedule();
      }, PARTIAL_MS);
    }
  }

  async #flush(): Promise<void> {
    while (this.#urgent && !this.#close.signal.aborted) {
      clearTimeout(this.#partialTimer);
      this.#partialTimer = undefined;
      const batch = this.#takeBatch();
      this.#committing = this.#commit(batch.changes);
      await this.#committing;
      if (this.#close.signal.aborted) break;
      this.#storedSeq = batch.seq;
      this.#storedRev = batch.rev;
      this.#storedSummary = batch.summary;
      this.#keeper.acknowledge(batch.seq);
      this.#keeper.stored(batch.items);
    }
    this.#flushing = undefined;
    this.#schedule();
  }

  /** What the store refuses for good would be refused again: the session is gone, or damaged. */
  #fail(failure: unknown): void {
    this.close();
    this.#flushing = undefined;
    this.#keeper.failed(failure);
  }

  /** What failed to be stored is stored later, and nobody hears of it before. */
  #commit(changes: readonly Change[]): Promise<void> {
    const whole = () => [...changes, ...this.#keeper.offer()];
    return commitWhenWritable(this.#store, whole, this.#close.signal);
  }

  #takeBatch() {
    const lines = this.#rows.map((row) => ({ kind: "line", row }) as const);
    const changes: Change[] = [...this.#kept, ...lines];
    const items: StoredItem[] = [];
    for (const item of [...this.#changed.values()].toSorted((a, b) => a.rev - b.rev)) {
      const { json, blobs } = cutBodies(this.session, item);
      const { id, order, rev } = item;
      changes.push(...blobs, {
        kind: "item",
        row: { session: this.session, id, order, rev, json },
      });
      items.push({ id, rev, json, growing: this.live.lengthOf(id) });
    }
    changes.push(...this.#progress());
    changes.push(...this.#keeper.changesFor(this.#happened));
    this.#rows = [];
    this.#kept = [];
    this.#changed = new Map();
    this.#happened = [];
    this.#waitingCharacters = 0;
    this.#urgent = this.#partial = false;
    const { rev, summary } = this.#state.reduce;
    return { changes, items, seq: this.#seq, rev, summary };
  }

  #progress(): Change[] {
    const { session } = this;
    const rev = this.#state.reduce.rev;
    const saved = saveState(session, this.#edition, this.#state, this.#pages);
    this.#pages = saved.pages;
    const { timeline } = saved;
    const summary = JSON.stringify(this.summary);
    const row = { session, seq: this.#seq, pos: this.#pos, rev, timeline, summary };
    return [...saved.changes, { kind: "progress", row }];
  }

  /** An item whose text grows, as it stands now, stored or not. */
  growing(id: string): Item | undefined {
    return this.live.item(id);
  }

  /** Settles when everything that was taken in is stored. */
  async settled(): Promise<void> {
    if (this.#partial) {
      this.#urgent = true;
      this.#schedule();
    }
    while (this.#flushing) await this.#flushing;
  }

  /** Nothing waits to be stored: it may be forgotten and loaded again. */
  get quiet(): boolean {
    return !this.#flushing && !this.#urgent && !this.#partial;
  }

  close(): void {
    this.#close.abort();
    clearTimeout(this.#partialTimer);
  }
}
