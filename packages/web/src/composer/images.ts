import type { NewPrompt } from "@signalbox/protocol";

export type Image = NonNullable<NewPrompt["images"]>[number];

export const MOST_IMAGES = 20;
/** Base64 of what the hub takes for one image. */
const MOST_CHARACTERS = 7_000_000;
const MOST_BYTES = Math.floor((MOST_CHARACTERS / 4) * 3);
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Why a file cannot be sent along; undefined: it can. */
export function refusalOf(
  file: { readonly type: string; readonly size: number; readonly name: string },
  held: number,
): string | undefined {
  if (!TYPES.has(file.type)) return `${file.name} is no image of a kind that agents read.`;
  if (file.size > MOST_BYTES) return `${file.name} is larger than 5 MB.`;
  if (held >= MOST_IMAGES) return `${MOST_IMAGES} images is the most one message takes.`;
  return undefined;
}

export async function imageOf(file: File): Promise<Image> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { data: base64(bytes), name: file.name };
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
