import type { PixelSize } from "../store/attachment.ts";

/** The largest picture in bytes that the hub and the model accept: 5 MiB in base64. */
export const MAX_IMAGE_BYTES = Math.floor((5 * 1024 * 1024 * 3) / 4);
/** The largest width and height in pixels that the hub accepts. */
const MAX_SIDE = 8000;
/** A picture with more pixels is scaled down: a model sees no more of it, and it takes long to send. */
const MAX_PIXELS = 16_000_000;
/** The longer side of a picture that was scaled down. The next one is tried if it is still too large. */
export const SCALED_SIDES = [2576, 1568, 1024];

/** Whether a picture has to be scaled down before it is sent. */
export function isTooLarge(bytes: number, { width, height }: PixelSize): boolean {
  return (
    bytes > MAX_IMAGE_BYTES || Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS
  );
}

/** The size at which the longer side is at most `side`, with the same proportions. */
export function fitInside({ width, height }: PixelSize, side: number): PixelSize {
  const factor = Math.min(1, side / Math.max(width, height));
  const scale = (length: number) => Math.max(1, Math.round(length * factor));
  return { width: scale(width), height: scale(height) };
}
