import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { OutputTail } from "@signalbox/api";
import { OrderError } from "./order-error.ts";

/** The number of bytes that are read from the end. */
const TAIL = 32 * 1024;
/** The files to which Claude Code writes the output of background commands (2.1.7, 2.1.325). */
const OUTPUT = /^\/[^\0]*\/tasks\/\w{1,64}\.output$/;

/** Reads the end of the output of a background command. The file has to belong to this user and be no link. */
export async function readOutput(path: string): Promise<OutputTail> {
  if (!OUTPUT.test(path)) throw createOutputMissing();
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using file = await open(path, flags).catch(() => {
    throw createOutputMissing();
  });
  const { size, uid } = await file.stat().then((is) => {
    if (is.isFile()) return is;
    throw createOutputMissing();
  });
  if (process.getuid && uid !== process.getuid()) throw createOutputMissing();
  const from = Math.max(0, size - TAIL);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  return { text: decodeTail(buffer.subarray(0, bytesRead), from > 0), bytes: size };
}

/** Decodes a tail that may start in the middle of a character. */
function decodeTail(bytes: Uint8Array, cut: boolean): string {
  const start = cut ? bytes.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
  return new TextDecoder().decode(bytes.subarray(Math.max(0, start)));
}

function createOutputMissing(): OrderError {
  return new OrderError("no-output", "The output of this command is no longer available.");
}
