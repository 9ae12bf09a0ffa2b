import { mkdirSync, readdirSync, readFileSync, truncateSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { type LineSource, parseFrame, frameToHub } from "@signalbox/api/link";
import type { DiskLocation, Segment } from "./disk-buffer.ts";
import { decodeRecord, type DiskRecord } from "./disk-record.ts";

/** The lines of a session that an earlier runner had not delivered. */
export interface UndeliveredSession {
  readonly session: string;
  readonly run: string;
  readonly frames: readonly { readonly record: DiskRecord; readonly place: DiskLocation }[];
  readonly nextNumber: number;
  /** The bytes of damaged records, which were removed. */
  readonly cutBytes: number;
}

interface UndeliveredLine {
  readonly seq: number;
  readonly from: LineSource;
  readonly text: string;
}

/** Reads the undelivered lines and joins the pieces of long ones. */
export function* readUndeliveredLines({ frames }: UndeliveredSession): Generator<UndeliveredLine> {
  let pieces = "";
  for (const { record } of frames) {
    const read = parseFrame(frameToHub, record.text);
    if (read?.frame.type === "lines") {
      const { first, from } = read.frame;
      for (const [at, source] of from.entries()) {
        yield { seq: first + at, from: source, text: read.lines[at] ?? "" };
      }
    } else if (read?.frame.type === "chunk") {
      const { seq, from, last } = read.frame;
      pieces += read.lines.join("\n");
      if (!last) continue;
      yield { seq, from, text: pieces };
      pieces = "";
    }
  }
}

/** Reads the undelivered lines of all sessions. Damaged ends are removed, so that later records can be read. */
export function readUndelivered(folder: string): UndeliveredSession[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bySession = new Map<string, string[]>();
  for (const name of readdirSync(folder).toSorted()) {
    const found = /^([0-9a-f]{32})-\d{8}\.spill$/.exec(name);
    if (!found) continue;
    const key = found[1] ?? "";
    bySession.set(key, [...(bySession.get(key) ?? []), name]);
  }
  return [...bySession.values()].flatMap((names) => readUndeliveredSession(folder, names) ?? []);
}

function readUndeliveredSession(
  folder: string,
  names: readonly string[],
): UndeliveredSession | undefined {
  const frames: { record: DiskRecord; place: DiskLocation }[] = [];
  let [cutBytes, isDamaged] = [0, false];
  for (const name of names) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    const number = Number(name.slice(33, 41));
    const segment: Segment = { path, number, size: 0, waiting: 0 };
    // Records after a damaged one are useless, because the lines in between are missing.
    for (let at = 0; !isDamaged && at < bytes.length;) {
      const read = decodeRecord(bytes, at);
      isDamaged = read === undefined || !isNextRecord(frames.at(-1)?.record, read.record);
      if (isDamaged || read === undefined) break;
      frames.push({
        record: read.record,
        place: { segment, offset: at, length: read.end - at },
      });
      at = read.end;
      segment.size = at;
      segment.waiting += 1;
    }
    cutBytes += bytes.length - segment.size;
    if (segment.size === 0) unlinkSync(path);
    else if (segment.size < bytes.length) truncateSync(path, segment.size);
  }
  cutBytes += dropUnfinished(frames);
  const last = frames.at(-1);
  const facts = last && parseFrame(frameToHub, last.record.text.split("\n", 1)[0] ?? "")?.frame;
  if (!facts || (facts.type !== "lines" && facts.type !== "chunk")) return undefined;
  const { session, run } = facts;
  const nextNumber = Number(names.at(-1)?.slice(33, 41)) + 1;
  return { session, run, frames, nextNumber, cutBytes };
}

function isNextRecord(before: DiskRecord | undefined, next: DiskRecord): boolean {
  if (!before) return true;
  return next.first === (before.more ? before.last : before.last + 1);
}

/** Removes pieces of a long line whose last piece is missing. */
function dropUnfinished(frames: { record: DiskRecord; place: DiskLocation }[]): number {
  let cutBytes = 0;
  while (frames.at(-1)?.record.more) {
    const { place } = frames.pop()!;
    const { segment, offset, length } = place;
    cutBytes += length;
    segment.size = offset;
    segment.waiting -= 1;
    if (offset === 0) unlinkSync(segment.path);
    else truncateSync(segment.path, offset);
  }
  return cutBytes;
}
