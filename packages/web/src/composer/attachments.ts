import type { Attachment, PixelSize } from "../store/attachment.ts";
import { strings } from "../strings/strings.ts";
import { formatBytes } from "../text/format.ts";
import { isTooLarge } from "./image-limits.ts";
import { scaleImage } from "./scale-image.ts";

const words = strings.attachments;

const MAX_ATTACHMENTS = 20;
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const PDF_TYPE = "application/pdf";
/** What the browser's file picker offers. */
export const ACCEPTED_TYPES = [...IMAGE_TYPES, PDF_TYPE].join(",");
/** The largest PDF that the hub accepts. */
const MAX_PDF_BYTES = 20_000_000;
/** A file that is larger is not even read. */
const MAX_FILE_BYTES = 200_000_000;

/** The largest message in bytes that the hub accepts, less some room for the JSON around it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024 - 64 * 1024;

/** Why a message cannot be sent. Undefined if it can. */
export function findMessageProblem(
  text: string,
  attachments: readonly Attachment[],
): string | undefined {
  const label = new TextEncoder().encode(JSON.stringify(text)).length;
  const bytes = attachments.reduce((sum, { data }) => sum + data.length, label);
  if (bytes <= MAX_MESSAGE_BYTES) return undefined;
  return words.messageTooLarge(Math.ceil(bytes / 1024 / 1024));
}

/** Why a file cannot be attached. Undefined if it can. */
export function findFileProblem(
  file: { readonly type: string; readonly size: number; readonly name: string },
  attachedCount: number,
): string | undefined {
  const { type, size, name } = file;
  if (!IMAGE_TYPES.has(type) && type !== PDF_TYPE) return words.wrongType(name);
  if (attachedCount >= MAX_ATTACHMENTS) return words.tooMany(MAX_ATTACHMENTS);
  if (size === 0) return words.empty(name);
  const limit = type === PDF_TYPE ? MAX_PDF_BYTES : MAX_FILE_BYTES;
  if (size > limit) return words.tooLarge(name, formatBytes(size), formatBytes(limit));
  return undefined;
}

/**
 * Whether the clipboard holds text that a program, such as a spreadsheet, also offers as an image. Names of
 * copied files do not count as text.
 */
export function isTextPaste(text: string, files: readonly { readonly name: string }[]): boolean {
  const names = new Set(files.map(({ name }) => name));
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== "");
  return lines.some((line) => !names.has(line.trim().split(/[/\\]/).at(-1) ?? ""));
}

/** Reads a file as an attachment, or returns why that is not possible. Large pictures are scaled down. */
export async function readAttachment(
  file: File,
  attachedCount: number,
): Promise<Attachment | string> {
  const refusal = findFileProblem(file, attachedCount);
  if (refusal !== undefined) return refusal;
  try {
    return file.type === PDF_TYPE ? await readPdf(file) : await readImage(file);
  } catch {
    return words.unreadable(file.name); // The file was removed or changed since it was chosen.
  }
}

async function readPdf(file: File): Promise<Attachment | string> {
  const data = await encodeBase64(file);
  return isPdf(data) ? { data, name: file.name } : words.notPdf(file.name);
}

async function readImage(file: File): Promise<Attachment | string> {
  const size = await readImageSize(file);
  if (!size) return words.damaged(file.name);
  if (!isTooLarge(file.size, size)) return { data: await encodeBase64(file), name: file.name };
  const scaled = await scaleImage(file);
  if (!scaled) return words.couldNotScale(file.name, size.width, size.height);
  const { blob, from, to } = scaled;
  return { data: await encodeBase64(blob), name: file.name, scaled: { from, to } };
}

/** Reads the size of an image in pixels, without decoding more than its header. */
async function readImageSize(file: File): Promise<PixelSize | undefined> {
  const address = URL.createObjectURL(file);
  const { promise, resolve } = Promise.withResolvers<PixelSize | undefined>();
  const picture = new window.Image();
  picture.addEventListener("load", () =>
    resolve({ width: picture.naturalWidth, height: picture.naturalHeight }),
  );
  picture.addEventListener("error", () => resolve(undefined));
  picture.src = address;
  return promise.finally(() => URL.revokeObjectURL(address));
}

async function encodeBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces: string[] = [];
  const PIECE = 0x8000;
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  }
  return btoa(pieces.join(""));
}

/** Whether base64 data begins as a PDF does. */
export function isPdf(data: string): boolean {
  return data.startsWith("JVBERi");
}

/** A data URL for an attached image. Its type is detected from its first bytes. */
export function imageDataUrl({ data }: Attachment): string {
  const type = data.startsWith("iVBOR")
    ? "image/png"
    : data.startsWith("/9j/")
      ? "image/jpeg"
      : data.startsWith("R0lG")
        ? "image/gif"
        : "image/webp";
  return `data:${type};base64,${data}`;
}
