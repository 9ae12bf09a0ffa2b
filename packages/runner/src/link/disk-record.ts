import { crc32 } from "node:zlib";

/** A frame as it is stored on the disk. */
export interface DiskRecord {
  readonly first: number;
  readonly last: number;
  readonly more: boolean;
  readonly ends: boolean;
  readonly text: string;
}

/** The total length, the checksum of everything after it, first, last, flags. */
const HEAD = 4 + 4 + 8 + 8 + 4;
const MORE = 1;
const ENDS = 2;

/** Reused for every record, because the memory of discarded buffers is not released at once. */
let scratch = Buffer.allocUnsafe(0);

/** Encodes a record. The result is valid until the next call. */
export function encodeRecord({ first, last, more, ends, text }: DiskRecord): Buffer {
  const length = HEAD + Buffer.byteLength(text);
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length);
  const bytes = scratch.subarray(0, length);
  bytes.writeUInt32LE(length, 0);
  bytes.writeDoubleLE(first, 8);
  bytes.writeDoubleLE(last, 16);
  bytes.writeUInt32LE((more ? MORE : 0) | (ends ? ENDS : 0), 24);
  bytes.write(text, HEAD);
  bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
  return bytes;
}

/** The record at this offset; undefined if there is no complete one. */
export function decodeRecord(
  bytes: Buffer,
  at: number,
): { record: DiskRecord; end: number } | undefined {
  if (at + HEAD > bytes.length) return undefined;
  const end = at + bytes.readUInt32LE(at);
  if (end < at + HEAD || end > bytes.length) return undefined;
  if (crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) return undefined;
  const flags = bytes.readUInt32LE(at + 24);
  const record = {
    first: bytes.readDoubleLE(at + 8),
    last: bytes.readDoubleLE(at + 16),
    more: (flags & MORE) !== 0,
    ends: (flags & ENDS) !== 0,
    text: bytes.toString("utf8", at + HEAD, end),
  };
  return { record, end };
}
