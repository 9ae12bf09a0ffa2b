import type { NewPrompt } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const words = strings.attachments;

export type Image = NonNullable<NewPrompt["images"]>[number];

const MAX_IMAGES = 20;
/** The largest image in base64 that the hub and the model accept. */
const MAX_BASE64_LENGTH = 5 * 1024 * 1024;
/** The largest width and height in pixels that the hub accepts. */
const MAX_PIXELS = 8000;
const MAX_BYTES = Math.floor((MAX_BASE64_LENGTH / 4) * 3);
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The largest message in bytes that the hub accepts, less some room for the JSON around it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024 - 64 * 1024;

/** Why a message cannot be sent. Undefined if it can. */
export function findMessageProblem(text: string, images: readonly Image[]): string | undefined {
  const label = new TextEncoder().encode(JSON.stringify(text)).length;
  const bytes = images.reduce((sum, { data }) => sum + data.length, label);
  if (bytes <= MAX_MESSAGE_BYTES) return undefined;
  return words.messageTooLarge(Math.ceil(bytes / 1024 / 1024));
}

/** Why a file cannot be attached. Undefined if it can. */
export function findFileProblem(
  file: { readonly type: string; readonly size: number; readonly name: string },
  attachedCount: number,
): string | undefined {
  if (!IMAGE_TYPES.has(file.type)) return words.wrongType(file.name);
  if (file.size > MAX_BYTES) return words.tooLarge(file.name);
  if (attachedCount >= MAX_IMAGES) return words.tooMany(MAX_IMAGES);
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

/** Why an image of this size cannot be attached. Undefined if it can. */
export function findSizeProblem(
  name: string,
  size: { readonly width: number; readonly height: number } | undefined,
): string | undefined {
  if (!size) return words.damaged(name);
  const { width, height } = size;
  if (Math.max(width, height) <= MAX_PIXELS) return undefined;
  return words.tooManyPixels(name, width, height, MAX_PIXELS);
}

/** Reads the size of an image in pixels. */
function readImageSize(image: Image): Promise<{ width: number; height: number } | undefined> {
  const { promise, resolve } = Promise.withResolvers<
    { width: number; height: number } | undefined
  >();
  const picture = new window.Image();
  picture.addEventListener("load", () =>
    resolve({ width: picture.naturalWidth, height: picture.naturalHeight }),
  );
  picture.addEventListener("error", () => resolve(undefined));
  picture.src = imageDataUrl(image);
  return promise;
}

async function readImage(file: File): Promise<Image> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { data: encodeBase64(bytes), name: file.name };
}

/** Reads a file as an image, or returns why that is not possible. */
export async function readImageOrProblem(
  file: File,
  attachedCount: number,
): Promise<Image | string> {
  const refusal = findFileProblem(file, attachedCount);
  if (refusal !== undefined) return refusal;
  const image = await readImage(file);
  return findSizeProblem(file.name, await readImageSize(image)) ?? image;
}

function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  const PIECE = 0x8000;
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(text);
}

/** A data URL for an attached image. Its type is detected from its first bytes. */
export function imageDataUrl({ data }: Image): string {
  const type = data.startsWith("iVBOR")
    ? "image/png"
    : data.startsWith("/9j/")
      ? "image/jpeg"
      : data.startsWith("R0lG")
        ? "image/gif"
        : "image/webp";
  return `data:${type};base64,${data}`;
}
