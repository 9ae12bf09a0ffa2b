import { LineSplitter } from "../framing/line-splitter.ts";
import { type ConverterOptions, type SubagentReference, TranscriptConverter } from "./converter.ts";
import type { TranscriptLine, TranscriptProblem } from "./transcript-line.ts";

/** A part of a file, and the file's size and identity at that moment. */
export interface FilePart {
  readonly bytes: Uint8Array;
  readonly size: number;
  /** Differs when another file has the name now. */
  readonly identity: string;
}

/** The files of one session: its transcript (`null`) and those of its subagents. */
export interface TranscriptSource {
  /** Returns undefined if there is no such file. Throws if it cannot be read. */
  read(agentId: string | null, offset: number, maxBytes: number): Promise<FilePart | undefined>;
  listSubagents(): Promise<readonly SubagentFile[]>;
}

export interface SubagentFile {
  readonly agentId: string;
  readonly size: number;
  /** The call that started it, if the program has recorded it (2.1.325 does). */
  readonly callId?: string;
}

/** How far a session's files have been read. Plain data. */
export interface TranscriptCursor {
  readonly identity: string;
  readonly offset: number;
  /** How far the subagents' files have been read. */
  readonly subagents: Readonly<Record<string, number>>;
  /** The last turn was ended with `endTurn`, so that it is not ended again. */
  readonly isTurnOver?: true;
}

export interface ReaderOptions extends ConverterOptions {
  /** Of longer lines only the beginning is read, and how much is missing is recorded. In bytes. */
  readonly lineLimit?: number;
}

export interface TranscriptBatch {
  readonly lines: readonly TranscriptLine[];
  readonly cursor: TranscriptCursor;
  /** The transcript is another file now, is shorter than what was read, or is gone. */
  readonly changed?: "replaced" | "truncated" | "deleted";
}

const CHUNK = 512 * 1024;
/** The size of a batch, in characters of its lines. */
const BATCH_CHARACTERS = 512 * 1024;

interface OpenFile {
  readonly splitter: LineSplitter;
  /** The end of the last whole line. */
  offset: number;
  /** The end of what was given to the splitter. */
  read: number;
}

/**
 * Reads the files of one session, in parts and in the order in which a person should see them: a
 * subagent's messages stand before the result of its call. A last line without its end waits for
 * the rest. Only what is unfinished is held in memory.
 */
export class TranscriptReader {
  readonly #source: TranscriptSource;
  readonly #options: ReaderOptions;
  readonly #counts = new Map<TranscriptProblem["kind"], number>();
  #converter: TranscriptConverter;
  #identity: string | undefined;
  #main: OpenFile;
  #subagents = new Map<string, OpenFile & { readonly lane: string }>();
  /** What was read before this reader was made, and is read again only to know where we are. */
  #before: TranscriptCursor | undefined;
  #lines: TranscriptLine[] = [];
  #characters = 0;
  #isTurnOver = false;

  constructor(source: TranscriptSource, options: ReaderOptions = {}, from?: TranscriptCursor) {
    this.#source = source;
    this.#options = {
      ...options,
      onProblem: (problem) => {
        this.#counts.set(problem.kind, (this.#counts.get(problem.kind) ?? 0) + 1);
        options.onProblem?.(problem);
      },
    };
    this.#converter = new TranscriptConverter(this.#options);
    this.#main = this.#openFile();
    this.#before = from;
    this.#isTurnOver = from?.isTurnOver === true;
  }

  get converter(): TranscriptConverter {
    return this.#converter;
  }
  /** How often something could not be read in the usual way. */
  get problems(): ReadonlyMap<TranscriptProblem["kind"], number> {
    return this.#counts;
  }
  get cursor(): TranscriptCursor {
    const subagents: Record<string, number> = { ...this.#before?.subagents };
    for (const [id, { offset }] of this.#subagents) {
      subagents[id] = Math.max(offset, subagents[id] ?? 0);
    }
    const offset = Math.max(this.#main.offset, this.#before?.offset ?? 0);
    const identity = this.#identity ?? this.#before?.identity ?? "";
    return { identity, offset, subagents, ...(this.#isTurnOver && { isTurnOver: true }) };
  }

  /** Reads what there is now, and returns when everything was read. */
  async *read(): AsyncGenerator<TranscriptBatch> {
    for (;;) {
      const part = await this.#source.read(null, this.#main.read, CHUNK);
      const changed = this.#noticeChange(part);
      if (changed) {
        yield { ...this.#takeBatch(), changed };
        if (changed === "deleted") return;
        continue;
      }
      if (!part || part.bytes.length === 0) break;
      yield* this.#readPart(this.#main, part.bytes, null);
    }
    yield* this.#readGrownSubagents();
    if (this.#lines.length > 0) yield this.#takeBatch();
  }

  /** Ends the turn, if one is open. */
  endTurn(): TranscriptLine[] {
    const lines = this.#converter.endTurn();
    if (lines.length > 0) this.#isTurnOver = true;
    return lines;
  }

  #noticeChange(part: FilePart | undefined): TranscriptBatch["changed"] {
    const known = this.#identity ?? this.#before?.identity;
    if (!part) {
      if (known === undefined) return undefined;
      this.#identity = undefined;
      this.#before = undefined;
      this.#startAgain();
      return "deleted";
    }
    const { identity, size } = part;
    const isOther = known !== undefined && known !== identity;
    const isShorter = size < Math.max(this.#main.read, this.#before?.offset ?? 0);
    this.#identity = identity;
    if (!isOther && !isShorter) return undefined;
    this.#before = undefined;
    this.#startAgain();
    return isOther ? "replaced" : "truncated";
  }

  /** What was read before is not read twice: its messages are known by their uuids. */
  #startAgain(): void {
    const before = this.#converter;
    const isStored = (uuid: string) =>
      before.hasSeen(uuid) || this.#options.isStored?.(uuid) === true;
    this.#converter = new TranscriptConverter({ ...this.#options, isStored });
    this.#main = this.#openFile();
    this.#subagents = new Map();
    this.#isTurnOver = false;
  }

  #openFile(): OpenFile {
    return { splitter: new LineSplitter(this.#options.lineLimit), offset: 0, read: 0 };
  }

  async *#readPart(
    file: OpenFile,
    bytes: Uint8Array,
    lane: string | null,
    agentId?: string,
  ): AsyncGenerator<TranscriptBatch> {
    for (let from = 0; from < bytes.length;) {
      const found = bytes.indexOf(0x0a, from);
      const end = found === -1 ? bytes.length : found + 1;
      const lines = file.splitter.push(bytes.subarray(from, end));
      file.read += end - from;
      from = end;
      for (const line of lines) {
        const { lines: converted, subagents } = this.#converter.convert(line, lane);
        for (const reference of subagents) yield* this.#readSubagent(reference);
        const limit = lane === null ? this.#before?.offset : this.#before?.subagents[agentId ?? ""];
        const isNew = limit === undefined || file.read > limit;
        if (isNew) this.#push(converted);
        if (lane === null && isNew) this.#isTurnOver = false;
        // The turn was ended when this was read for the first time.
        else if (lane === null && file.read === limit && this.#isTurnOver)
          this.#converter.endTurn();
      }
      if (found !== -1) file.offset = file.read;
      if (this.#characters > BATCH_CHARACTERS) yield this.#takeBatch();
    }
  }

  async *#readSubagent({ agentId, callId }: SubagentReference): AsyncGenerator<TranscriptBatch> {
    if (!/^[\w-]{1,64}$/.test(agentId)) return;
    let file = this.#subagents.get(agentId);
    if (!file) {
      file = { ...this.#openFile(), lane: callId };
      this.#subagents.set(agentId, file);
    }
    for (;;) {
      const part = await this.#source.read(agentId, file.read, CHUNK);
      if (!part || part.bytes.length === 0) return;
      yield* this.#readPart(file, part.bytes, file.lane, agentId);
    }
  }

  /** Subagents that work in the background, or whose call has no result yet. */
  async *#readGrownSubagents(): AsyncGenerator<TranscriptBatch> {
    for (const { agentId, size, callId } of await this.#source.listSubagents()) {
      const file = this.#subagents.get(agentId);
      const lane = file?.lane ?? callId;
      if (lane !== undefined && size > (file?.read ?? 0)) {
        yield* this.#readSubagent({ agentId, callId: lane });
      }
    }
  }

  #push(lines: readonly TranscriptLine[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#characters += typeof line.line === "string" ? line.line.length : line.line.text.length;
    }
  }

  #takeBatch(): TranscriptBatch {
    const lines = this.#lines;
    this.#lines = [];
    this.#characters = 0;
    return { lines, cursor: this.cursor };
  }
}
