import { readFile } from "node:fs/promises";

/** The text of a file, and how to write it back. */
export interface FileText {
  readonly text: string;
  readonly encoding: "utf8" | "utf16le";
  /** Why writing it as text would lose bytes; undefined if it would not. */
  readonly flaw?: string;
}

const LEGACY =
  "is not UTF-8: it is binary, or text in an older encoding (Windows-1252, Shift-JIS, GBK).";
const NUL =
  "has NUL bytes near its beginning: it is binary, or UTF-16 or UTF-32 without a byte order mark.";

export function decode(bytes: Buffer): FileText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: bytes.toString("utf16le"), encoding: "utf16le" };
  }
  const text = bytes.toString("utf8");
  if (hasNul(bytes)) return { text, encoding: "utf8", flaw: NUL };
  const isWhole = Buffer.from(text, "utf8").equals(bytes);
  return { text, encoding: "utf8", ...(!isWhole && { flaw: LEGACY }) };
}

function hasNul(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** Encodes the new text of a file in its encoding, with its byte order mark. */
export function encode(text: string, { encoding }: Pick<FileText, "encoding">): Buffer {
  if (encoding === "utf8") return Buffer.from(text, "utf8");
  return Buffer.from(text.startsWith("\uFEFF") ? text : `\uFEFF${text}`, "utf16le");
}

/** Reads a file's text; undefined if there is no file. */
export async function readIfThere(path: string): Promise<FileText | undefined> {
  try {
    return decode(await readFile(path));
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return undefined;
    throw cause;
  }
}

/** The note that Read adds to a text with such a flaw. */
export function flawNote(flaw: string): string {
  const shown = flaw === LEGACY ? " What could not be decoded stands above as U+FFFD." : "";
  return `\n\n[This file ${flaw}${shown} Edit and Write would lose bytes and leave it alone. Change it with a command that keeps the encoding, or ask the user whether it may become UTF-8.]`;
}

/** The error of Edit and Write, which would lose bytes. */
export function flawRefusal(flaw: string): string {
  return `File ${flaw} Nothing was written, because bytes would be lost: what this tool writes is UTF-8, or UTF-16LE where the file begins with its byte order mark. Change it with a command that keeps the encoding (iconv there and back), ask the user whether it may become UTF-8, or, if all of it is to go, remove it and write it anew.`;
}
