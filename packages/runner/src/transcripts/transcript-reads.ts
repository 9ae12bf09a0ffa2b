import { lstat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { FrameToHubOfType, OrderOfKind } from "@signalbox/api/link";
import { isTranscriptName, TranscriptFiles } from "@signalbox/host/transcripts";
import { lineText } from "@signalbox/protocol";
import {
  type TranscriptBatch,
  type TranscriptLine,
  TranscriptReader,
} from "@signalbox/protocol/transcript";
import { OrderError } from "../supervise/order-error.ts";
import { findLastKnown } from "./last-known.ts";

type ReadOrder = OrderOfKind<"read-transcript">;
type Answer = Omit<FrameToHubOfType<"transcript">, "type" | "id">;
interface TranscriptPart {
  readonly frame: Answer;
  readonly lines: readonly string[];
}

/** How many transcripts are kept open: a reader remembers all messages of its transcript. */
const MAX_OPEN = 4;
/** Of longer lines only the beginning is read: a frame of the link has a limit. In bytes. */
const LINE_LIMIT = 32 * 1024 * 1024;
/** How long the model's last answer has to be the last line before its turn is ended. */
const ANSWERED_QUIET_MS = 2000;
/** The same, if the program did not record why the model stopped. */
const UNCLEAR_QUIET_MS = 15_000;
/** The same, if a call has no result: the program is probably gone. */
const WORKING_QUIET_MS = 10 * 60_000;

interface OpenTranscript {
  readonly reader: TranscriptReader;
  readonly place: { configFolder: string; project: string; sessionId: string };
  batches: AsyncGenerator<TranscriptBatch> | undefined;
  /** The cursor that continues this reader, as JSON. */
  next: string;
}

/** Reads transcripts part by part, each where its last part ended. */
export class TranscriptReads {
  readonly #open = new Map<string, OpenTranscript>();

  async read(order: ReadOrder): Promise<TranscriptPart> {
    const { configFolder, project, conversation, known } = order;
    const compared = known && [known.skip, known.uuids.length, known.uuids[0]];
    const key = JSON.stringify([configFolder, project, conversation, compared]);
    const transcript = await this.#getOpen(key, order);
    const { reader } = transcript;
    const before = new Map(reader.problems);
    transcript.batches ??= reader.read();
    const { value: batch } = await transcript.batches.next();
    if (batch?.changed !== undefined) {
      this.#open.delete(key);
      return createPart([], reader, { changed: batch.changed, isAtEnd: true, isTurnOpen: false });
    }
    let lines: readonly TranscriptLine[] = batch?.lines ?? [];
    const isAtEnd = batch === undefined;
    let isTurnOpen = false;
    if (isAtEnd) {
      transcript.batches = undefined;
      if (await mayEndTurn(transcript)) lines = reader.endTurn();
      isTurnOpen = reader.converter.turn !== "none";
    }
    transcript.next = JSON.stringify(reader.cursor);
    // The timeline is not told of these, and a session that ran here has its own notes.
    if (order.known?.skip) lines = lines.filter((line) => !isNote(line));
    const problems = countNew(before, reader.problems);
    return createPart(lines, reader, { isAtEnd, isTurnOpen, problems });
  }

  async #getOpen(key: string, order: ReadOrder): Promise<OpenTranscript> {
    const known = this.#open.get(key);
    this.#open.delete(key); // the one that was used last is the last in the map
    if (known && known.next === JSON.stringify(order.cursor)) {
      this.#open.set(key, known);
      return known;
    }
    const opened = await openTranscript(order);
    this.#open.set(key, opened);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    return opened;
  }
}

async function openTranscript(order: ReadOrder): Promise<OpenTranscript> {
  const { configFolder, project, conversation: sessionId, known } = order;
  if (!isAbsolute(configFolder) || !isTranscriptName({ project, sessionId })) {
    throw new OrderError("bad-path", "This is not the name of a transcript.");
  }
  const place = { configFolder, project, sessionId };
  const files = new TranscriptFiles(place);
  const uuids = new Set(known?.uuids);
  let cursor = order.cursor;
  if (known?.skip) {
    const last = await findLastKnown(files, uuids);
    if (last && last.offset > (cursor?.offset ?? 0)) cursor = last;
  }
  const from = cursor && { ...cursor, ...(cursor.isTurnOver && { isTurnOver: true as const }) };
  const reader = new TranscriptReader(
    files,
    { lineLimit: LINE_LIMIT, now: Date.now, isStored: (uuid) => uuids.has(uuid) },
    from as ConstructorParameters<typeof TranscriptReader>[2],
  );
  return { reader, place, batches: undefined, next: "" };
}

/** Whether the program has been quiet for so long that its turn is over. */
async function mayEndTurn({ reader, place }: OpenTranscript): Promise<boolean> {
  const { turn } = reader.converter;
  if (turn === "none") return false;
  const { configFolder, project, sessionId } = place;
  const path = join(configFolder, "projects", project, `${sessionId}.jsonl`);
  const stats = await lstat(path).catch(() => undefined);
  const quiet = stats ? Date.now() - stats.mtimeMs : Number.POSITIVE_INFINITY;
  const limits = { answered: ANSWERED_QUIET_MS, interrupted: 0, wrote: UNCLEAR_QUIET_MS };
  return quiet >= (turn === "working" ? WORKING_QUIET_MS : limits[turn]);
}

function isNote({ line }: TranscriptLine): boolean {
  return lineText(line).startsWith('{"type":"transcript_entry"');
}

function countNew(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Record<string, number> {
  const counts = [...after].map(
    ([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function createPart(
  lines: readonly TranscriptLine[],
  { cursor, converter }: TranscriptReader,
  facts: Pick<Answer, "isAtEnd" | "isTurnOpen"> & Partial<Answer>,
): TranscriptPart {
  const flaws = Object.fromEntries(
    lines.flatMap(({ line }, index) =>
      typeof line === "string" ? [] : [[String(index), toLinkFlaws(line.flaws)] as const],
    ),
  );
  return {
    frame: {
      from: lines.map(({ from }) => from),
      at: lines.map(({ at }) => at ?? null),
      ...(Object.keys(flaws).length > 0 && { flaws }),
      cursor: { ...cursor, subagents: { ...cursor.subagents } },
      problems: {},
      ...(converter.title !== undefined && { title: converter.title }),
      ...facts,
    },
    lines: lines.map(({ line }) => lineText(line)),
  };
}

function toLinkFlaws(flaws: { droppedBytes?: number; original?: Uint8Array }) {
  const { droppedBytes, original } = flaws;
  return {
    ...(droppedBytes !== undefined && { droppedBytes }),
    ...(original !== undefined && { original: Buffer.from(original).toString("base64") }),
  };
}
