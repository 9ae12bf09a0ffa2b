import {
  type Decoded,
  type LogMarker,
  lineText,
  formatLogMarker,
  parseLogMarker,
} from "@signalbox/protocol";
import {
  advance,
  type Item,
  type Summary,
  type TimelineEvent,
  type TimelineState,
} from "@signalbox/timeline";
import {
  collectUnfinishedBlocks,
  type Subagent,
  findAskingSubagent,
} from "@signalbox/timeline/state";
import type { ReceivedLine } from "../link/received-line.ts";
import type { Change, Fence, LineRow, Store } from "../store/store.ts";
import { commitWhenWritable } from "../store/commit-when-writable.ts";
import { serializeItem } from "./serialize-item.ts";
import { LiveText } from "./live-text.ts";
import { decodeLine } from "../link/decode-line.ts";
import { BatchClock } from "./batch-clock.ts";
import type { IngestObserver } from "./ingest-observer.ts";
import { DeltaCoalescer } from "./delta-coalescer.ts";
import { StateWriter } from "./state-writer.ts";
import { getEpoch, type StoredState } from "./stored-state.ts";

/** How often text that is being written is stored, at most. */
const PARTIAL_TEXT_INTERVAL_MS = 250;
/**
 * The size of a transaction in characters of its lines. What they make still fits into the cache of the
 * writing connection.
 */
const BATCH_CHARACTERS = 1024 * 1024;
/** How long a transaction is collected at most while the disk is slow. */
const MAX_BATCH_WAIT_MS = 250;

/** A stored item that is ready to be sent. */
export interface StoredItem {
  readonly id: string;
  readonly rev: number;
  readonly json: string;
  /** Set for a long text that still grows: only what is added to it is sent. */
  readonly growingLength: number | undefined;
}

/** What a line means for the rest of the session. */
export type IngestEvent =
  | {
      readonly marker: LogMarker;
      readonly run: string | null;
      readonly at: number;
      /** The subagent that asks; undefined: the main agent does. */
      readonly subagent?: Subagent | undefined;
    }
  | { readonly event: TimelineEvent };

/** The owner of an ingest: adds changes to its transactions, and is told what was stored. */
export interface IngestOwner {
  /** The changes that belong into the same transaction as these events' lines. */
  applyEvents(events: readonly IngestEvent[]): Change[];
  /** The change of the session's row. It is read again at each attempt, because the row may have changed. */
  prepareRowChange(): Change[];
  onStored(items: readonly StoredItem[]): void;
  /** Tells the runner that its lines up to this number are stored, so that it forgets them. */
  acknowledgeLines(seq: number): void;
  /** What proves that this hub may write for the session's runner, at the time of the call. */
  getFence(): Fence | undefined;
  /** The store refuses the lines for good. No more lines are accepted. */
  onFailed(failure: unknown): void;
}

/** Records what a session receives, where a person wants that. */
export interface LineRecorder {
  recordLine(session: string, line: ReceivedLine): void;
  recordEvents(session: string, at: number, events: readonly TimelineEvent[]): void;
}

/**
 * Brings one session's lines into the store: numbers them, turns them into items, stores both, and only then
 * publishes them. There is one transaction at a time; what arrives meanwhile goes into the next one.
 */
export class SessionIngest {
  readonly session: string;
  readonly liveText: LiveText;
  readonly #store: Store;
  readonly #owner: IngestOwner;
  readonly #recorder: LineRecorder | undefined;
  #state: TimelineState;
  #seq: number;
  #pos: number;
  #storedSeq: number;
  #storedRev: number;
  #storedSummary: Summary;
  readonly #edition: number;
  readonly #stateWriter: StateWriter;
  readonly #observer: IngestObserver | undefined;
  readonly #batchTimes: BatchClock | undefined;

  #lineRows: LineRow[] = [];
  #addedChanges: Change[] = [];
  #changedItems = new Map<string, Item>();
  #events: IngestEvent[] = [];
  #mustFlush = false;
  #hasPartialText = false;
  #partialTimer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> | undefined;
  #committing: Promise<void> = Promise.resolve();
  #committingLines = 0;
  #bufferedCharacters = 0;
  readonly #closed = new AbortController();
  /** The last sequence number is not known for certain. The next line's number settles it. */
  #isSeqUncertain: boolean;

  constructor(
    store: Store,
    session: string,
    owner: IngestOwner,
    stored: StoredState,
    recorder?: LineRecorder,
    observer?: IngestObserver,
  ) {
    this.#recorder = recorder;
    this.#observer = observer;
    this.#batchTimes = observer && new BatchClock();
    this.#store = store;
    this.session = session;
    this.#owner = owner;
    this.#state = stored.state;
    this.#seq = this.#storedSeq = stored.seq;
    this.#pos = stored.pos;
    this.#storedRev = stored.state.reduce.rev;
    this.#storedSummary = stored.state.reduce.summary;
    this.#edition = stored.edition;
    this.#stateWriter = new StateWriter(session, stored);
    this.#isSeqUncertain = stored.isSeqUncertain === true;
    this.liveText = new LiveText(session);
  }

  /** The number of the runner's last line that was accepted, whether it is stored yet or not. */
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
    return getEpoch(this.#store, this.#edition);
  }
  get state(): TimelineState {
    return this.#state;
  }
  get summary(): Summary {
    return this.#state.reduce.summary;
  }

  /**
   * Accepts lines. Lines that were accepted before are dropped; after a gap nothing is accepted, and the
   * answer is false. `changes` are stored in the same transaction as the lines.
   */
  accept(lines: readonly ReceivedLine[], changes: readonly Change[] = []): boolean {
    this.#addedChanges.push(...changes);
    if (changes.length > 0) this.#mustFlush = true;
    const coalescer = new DeltaCoalescer();
    let isComplete = true;
    for (const line of lines) {
      const { seq } = line;
      if (seq !== null) {
        if (seq <= this.#seq) continue;
        if (seq > this.#seq + 1 && !this.#isSeqUncertain) {
          isComplete = false;
          break;
        }
        this.#isSeqUncertain = false;
        this.#seq = seq;
      }
      this.#recorder?.recordLine(this.session, line);
      if (coalescer.add(line)) continue;
      this.#ingestCoalesced(coalescer);
      if (coalescer.add(line)) continue;
      this.#ingest(line, decodeLine(line.line, line.spooled?.characters));
    }
    this.#ingestCoalesced(coalescer);
    this.#schedule();
    return isComplete;
  }

  /** Waits while a transaction is being written and the next one is already large. */
  async waitForRoom(): Promise<void> {
    if (!this.#flushing || this.#bufferedCharacters < BATCH_CHARACTERS) return;
    await Promise.race([this.#committing.catch(() => {}), Bun.sleep(MAX_BATCH_WAIT_MS)]);
  }

  #ingestCoalesced(coalescer: DeltaCoalescer): void {
    const coalesced = coalescer.flush();
    if (coalesced) this.#ingest(coalesced.received, coalesced.decoded);
  }

  /** Adds a marker line of the hub's own. */
  addMarker(line: string, run: string | null): void {
    this.accept([{ seq: null, run, from: "keeper", at: Date.now(), line }]);
  }

  #ingest(received: ReceivedLine, decoded: Decoded): void {
    const { from, at } = received;
    const streamed = decoded.kind === "known" && decoded.message.type === "stream_event";
    if (decoded.kind === "known" && decoded.message.type === "keep_alive") return;
    const marker = from === "keeper" ? parseLogMarker(decoded.raw) : undefined;
    const turnEnds = decoded.kind === "known" && decoded.message.type === "result";
    if (turnEnds || marker?.subtype === "run_ended") this.#keepUnfinishedText(received);
    if (marker) {
      const subagent =
        marker.subtype === "ask_opened" ? findAskingSubagent(this.#state, marker) : undefined;
      this.#events.push({ marker, run: received.run, at, subagent });
    }
    const step = advance(this.#state, { from, at, line: decoded });
    this.#state = step.state;
    this.#recorder?.recordEvents(this.session, at, step.events);
    this.#observer?.onLine(received, decoded, step.events);
    this.#batchTimes?.addLine(received);
    for (const item of step.changed) this.#recordChangedItem(item);
    if (streamed) {
      this.#hasPartialText = true;
      return;
    }
    // What a transcript holds happened elsewhere, and means nothing for the runs of this session.
    const isImported = received.run === null && from === "agent";
    if (!isImported) for (const event of step.events) this.#events.push({ event });
    const row = this.#createLineRow(received);
    this.#lineRows.push(row);
    this.#bufferedCharacters += row.text.length;
    this.#mustFlush = true;
  }

  /** Turns the deltas of an unfinished text into a line of the log, because they are stored nowhere else. */
  #keepUnfinishedText(end: ReceivedLine): void {
    const blocks = collectUnfinishedBlocks(this.#state);
    if (blocks.length === 0) return;
    const line = formatLogMarker("text_kept", { blocks });
    const { run, at } = end;
    this.#ingest({ seq: null, run, from: "keeper", at, line }, decodeLine(line));
  }

  #recordChangedItem(item: Item): void {
    if (!this.#changedItems.has(item.id) && !this.liveText.has(item.id)) this.#mustFlush = true; // people wait for it
    this.#changedItems.set(item.id, item);
    this.liveText.update(item);
  }

  #createLineRow({ seq, run, from, at, line, spooled }: ReceivedLine): LineRow {
    const flaws = typeof line === "string" ? undefined : line.flaws;
    if (spooled) this.#addedChanges.push(...spooled.changes);
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
      characters: spooled?.characters ?? null,
      textBlob: spooled?.textBlob ?? null,
      originalBlob: spooled?.originalBlob ?? null,
    };
  }

  #schedule(): void {
    if (this.#flushing || this.#closed.signal.aborted) return;
    if (this.#mustFlush) {
      this.#flushing = this.#runFlushes().catch((failure: unknown) =>
        this.#onCommitFailed(failure),
      );
    } else if (this.#hasPartialText && this.#partialTimer === undefined) {
      this.#partialTimer = setTimeout(() => {
        this.#partialTimer = undefined;
        this.#mustFlush = true;
        this.#schedule();
      }, PARTIAL_TEXT_INTERVAL_MS);
    }
  }

  async #runFlushes(): Promise<void> {
    while (this.#mustFlush && !this.#closed.signal.aborted) {
      clearTimeout(this.#partialTimer);
      this.#partialTimer = undefined;
      const batch = this.#collectBatch();
      const times = this.#batchTimes?.startCommit();
      this.#committingLines = batch.lines;
      this.#committing = this.#commit(batch.changes);
      await this.#committing;
      if (this.#closed.signal.aborted) break;
      const committedAt = Date.now();
      this.#storedSeq = batch.seq;
      this.#storedRev = batch.rev;
      this.#storedSummary = batch.summary;
      this.#owner.acknowledgeLines(batch.seq);
      this.#owner.onStored(batch.items);
      if (times) this.#observer?.onBatch({ ...times, committedAt, publishedAt: Date.now() });
    }
    this.#flushing = undefined;
    this.#schedule();
  }

  /**
   * Gives up on a transaction that the store refuses for good: the session was deleted, or its data is
   * damaged.
   */
  #onCommitFailed(failure: unknown): void {
    this.close();
    this.#flushing = undefined;
    this.#observer?.onDropped(this.#committingLines + this.#lineRows.length);
    this.#owner.onFailed(failure);
  }

  /**
   * Writes a transaction. If that fails, it is retried later, and nothing is published before it succeeds.
   */
  #commit(changes: readonly Change[]): Promise<void> {
    const withRow = () => [...changes, ...this.#owner.prepareRowChange()];
    const getFence = () => this.#owner.getFence();
    return commitWhenWritable(this.#store, withRow, this.#closed.signal, getFence);
  }

  #collectBatch() {
    const lines = this.#lineRows.map((row) => ({ kind: "line", row }) as const);
    const changes: Change[] = [...this.#addedChanges, ...lines];
    const items: StoredItem[] = [];
    for (const item of [...this.#changedItems.values()].toSorted((a, b) => a.rev - b.rev)) {
      const { json, blobs } = serializeItem(this.session, item);
      const { id, order, rev } = item;
      changes.push(...blobs, {
        kind: "item",
        row: { session: this.session, id, order, rev, json },
      });
      items.push({ id, rev, json, growingLength: this.liveText.getLength(id) });
    }
    changes.push(...this.#stateWriter.write(this.#state, { seq: this.#seq, pos: this.#pos }));
    changes.push(...this.#owner.applyEvents(this.#events));
    this.#lineRows = [];
    this.#addedChanges = [];
    this.#changedItems = new Map();
    this.#events = [];
    this.#bufferedCharacters = 0;
    this.#mustFlush = this.#hasPartialText = false;
    const { rev, summary } = this.#state.reduce;
    return { changes, items, lines: lines.length, seq: this.#seq, rev, summary };
  }

  /** An item whose text grows, in its current state, whether that is stored or not. */
  findGrowingItem(id: string): Item | undefined {
    return this.liveText.item(id);
  }

  /** Settles when everything that was accepted is stored. */
  async flush(): Promise<void> {
    if (this.#hasPartialText) {
      this.#mustFlush = true;
      this.#schedule();
    }
    while (this.#flushing) await this.#flushing;
  }

  /** Whether nothing waits to be stored, so that the ingest may be released and loaded again later. */
  get isIdle(): boolean {
    return !this.#flushing && !this.#mustFlush && !this.#hasPartialText;
  }

  /** Whether it has given up: what was accepted and is not stored has to be accepted again. */
  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  close(): void {
    this.#closed.abort();
    clearTimeout(this.#partialTimer);
  }
}
