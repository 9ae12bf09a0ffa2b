import { readFile } from "node:fs/promises";

/** A file's bytes as text, and how they are to be written again. */
export interface FileText {
  readonly text: string;
  readonly encoding: "utf8" | "utf16le";
  /** Why writing it as text would lose bytes; absent: it would not. */
  readonly flaw?: string;
}

const LEGACY =
  "is not valid UTF-8: it uses a legacy encoding such as Windows-1252, Shift-JIS or GBK, or it is binary.";
const NUL =
  "has NUL bytes in its first 8 KB: binary data, UTF-16/UTF-32 without a byte-order mark, or text with embedded NULs.";

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

/** The bytes of a text that takes the place of another: in its encoding, with its byte order mark. */
export function encode(text: string, { encoding }: Pick<FileText, "encoding">): Buffer {
  if (encoding === "utf8") return Buffer.from(text, "utf8");
  return Buffer.from(text.startsWith("\uFEFF") ? text : `\uFEFF${text}`, "utf16le");
}

/** A file's text, or nothing when there is none. */
export async function readIfThere(path: string): Promise<FileText | undefined> {
  try {
    return decode(await readFile(path));
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return undefined;
    throw cause;
  }
}

/** What Read adds below a text with such a flaw. */
export function flawNote(flaw: string): string {
  const shown = flaw === LEGACY ? " Its undecodable bytes show above as U+FFFD." : "";
  return `\n\n[This file ${flaw}${shown} Edit and Write will refuse it: change it with a shell command that keeps its encoding, or ask the user whether to convert it to UTF-8.]`;
}

/** What Edit and Write say in place of losing bytes. */
export function flawRefusal(flaw: string): string {
  return `File ${flaw} These tools write UTF-8 (or UTF-16LE behind its byte-order mark) and never convert a file's encoding on their own, so nothing was written. If the file is text, make the change with a shell command that reads and writes it in its own encoding (iconv, or PowerShell Get-Content/Set-Content -Encoding), or ask the user whether to convert it to UTF-8 first. To replace the whole file with new UTF-8 text anyway, delete it first, then Write it.`;
}
