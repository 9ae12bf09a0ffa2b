import { fitInside, MAX_IMAGE_BYTES, SCALED_SIDES } from "./image-limits.ts";
import type { ScaledImage } from "./scale-image.ts";

/** Scales pictures down, beside the page: a large one takes a second to be read and written. */
addEventListener("message", ({ data }: MessageEvent<{ file: Blob }>) => {
  const answer = async () => {
    postMessage({ scaled: await scaleDown(data.file).catch(() => undefined) });
  };
  void answer();
});

/** The largest version of a picture that a message can have. Undefined if it cannot be read. */
async function scaleDown(file: Blob): Promise<ScaledImage | undefined> {
  const picture = await createImageBitmap(file);
  const from = { width: picture.width, height: picture.height };
  for (const side of SCALED_SIDES) {
    const to = fitInside(from, side);
    const canvas = new OffscreenCanvas(to.width, to.height);
    const pen = canvas.getContext("2d");
    if (!pen) return undefined;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, to.width, to.height);
    // A JPEG stays one; what may be transparent becomes a WebP, or a PNG where a browser cannot write that.
    const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
    const blob = await canvas.convertToBlob({ type, quality: 0.9 });
    if (blob.size <= MAX_IMAGE_BYTES) return { blob, from, to };
  }
  return undefined;
}
