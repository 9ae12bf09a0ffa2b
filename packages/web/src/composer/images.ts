import type { NewPrompt } from "@signalbox/api";

export type Image = NonNullable<NewPrompt["images"]>[number];

export const MOST_IMAGES = 20;
/** Base64 of what the hub, and the model behind it, take for one image. */
const MOST_CHARACTERS = 5 * 1024 * 1024;
/** Pixels on either side, as the hub takes them. */
const MOST_PIXELS = 8000;
const MOST_BYTES = Math.floor((MOST_CHARACTERS / 4) * 3);
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Bytes of a whole message that the hub takes; some are for what stands around words and images. */
const MOST_TOGETHER = 64 * 1024 * 1024 - 64 * 1024;

/** Why a message cannot be sent as it is; undefined: it can. */
export function refusalOfMessage(text: string, images: readonly Image[]): string | undefined {
  const words = new TextEncoder().encode(JSON.stringify(text)).length;
  const bytes = images.reduce((sum, { data }) => sum + data.length, words);
  if (bytes <= MOST_TOGETHER) return undefined;
  return `Words and images are ${Math.ceil(bytes / 1024 / 1024)} MB together, and a message takes 64. Send some of them apart.`;
}

/** Why a file cannot be sent along; undefined: it can. */
export function refusalOf(
  file: { readonly type: string; readonly size: number; readonly name: string },
  held: number,
): string | undefined {
  if (!TYPES.has(file.type)) return `${file.name} is no image of a kind that agents read.`;
  if (file.size > MOST_BYTES)
    return `${file.name} is larger than the 3.9 MB that the model accepts. Make it smaller.`;
  if (held >= MOST_IMAGES) return `${MOST_IMAGES} images is the most one message takes.`;
  return undefined;
}

/**
 * Whether words were copied that a program put on the clipboard as a picture, too, as spreadsheets do. The
 * names of files that were copied are no such words.
 */
export function isPasteOfWords(text: string, files: readonly { readonly name: string }[]): boolean {
  const names = new Set(files.map(({ name }) => name));
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== "");
  return lines.some((line) => !names.has(line.trim().split(/[/\\]/).at(-1) ?? ""));
}

/** Why a picture of this size cannot be sent along; undefined: it can. */
export function refusalOfSize(
  name: string,
  size: { readonly width: number; readonly height: number } | undefined,
): string | undefined {
  if (!size) return `${name} is damaged: its size in pixels cannot be read.`;
  const { width, height } = size;
  if (Math.max(width, height) <= MOST_PIXELS) return undefined;
  return `${name} is ${width} × ${height} pixels, and the model accepts ${MOST_PIXELS} on each side. Make it smaller.`;
}

/** In pixels. The browser reads it off the header, and decodes a picture only when it is shown. */
function sizeOf(image: Image): Promise<{ width: number; height: number } | undefined> {
  const { promise, resolve } = Promise.withResolvers<
    { width: number; height: number } | undefined
  >();
  const picture = new window.Image();
  picture.addEventListener("load", () =>
    resolve({ width: picture.naturalWidth, height: picture.naturalHeight }),
  );
  picture.addEventListener("error", () => resolve(undefined));
  picture.src = imageAddress(image);
  return promise;
}

async function imageOf(file: File): Promise<Image> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { data: base64(bytes), name: file.name };
}

/** The file as an image for a message, or why it is none. */
export async function imageOrRefusal(file: File, held: number): Promise<Image | string> {
  const refusal = refusalOf(file, held);
  if (refusal !== undefined) return refusal;
  const image = await imageOf(file);
  return refusalOfSize(file.name, await sizeOf(image)) ?? image;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  const PIECE = 0x8000;
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(text);
}

/** An image for the page to show. What it is, is read off its first bytes. */
export function imageAddress({ data }: Image): string {
  const type = data.startsWith("iVBOR")
    ? "image/png"
    : data.startsWith("/9j/")
      ? "image/jpeg"
      : data.startsWith("R0lG")
        ? "image/gif"
        : "image/webp";
  return `data:${type};base64,${data}`;
}
