import { readFileSync } from "node:fs";

/** How many transactions a write-ahead log holds: the last frame of each names the database's size. */
export function countTransactions(path: string): number {
  const bytes = readFileSync(path);
  const wal = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const frame = 24 + wal.getUint32(8);
  const salt = wal.getBigUint64(16);
  let count = 0;
  for (let at = 32; at + frame <= wal.byteLength; at += frame) {
    if (wal.getBigUint64(at + 8) !== salt) break; // left from before the log began anew
    if (wal.getUint32(at + 4) > 0) count += 1;
  }
  return count;
}
