import type { NewPrompt } from "@signalbox/protocol";
import { imageType, MAX_IMAGE_BASE64 } from "@signalbox/runner";
import { Refusal } from "../engine.ts";
import type { Change } from "../log/store.ts";

/** The images of a message, checked before it is accepted: what is accepted is delivered. */
export function storedImages(
  session: string,
  prompt: NewPrompt,
): { json: string; blobs: Change[] } {
  const blobs: Change[] = [];
  const images = (prompt.images ?? []).map(({ data, name }, index) => {
    const what = `The image ${name ?? index + 1} cannot be sent`;
    const bytes = Uint8Array.from(Buffer.from(data, "base64"));
    if (!imageType(bytes)) {
      throw new Refusal(422, "bad-image", `${what}: it is not PNG, JPEG, GIF or WebP.`);
    }
    if (data.length > MAX_IMAGE_BASE64) {
      const detail = `${what}: it takes ${data.length} bytes encoded, and the model accepts ${MAX_IMAGE_BASE64}. Make it smaller.`;
      throw new Refusal(422, "bad-image", detail);
    }
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    blobs.push({ kind: "blob", session, hash, bytes });
    return { blob: hash, ...(name !== undefined && { name }) };
  });
  return { json: JSON.stringify(images), blobs };
}
