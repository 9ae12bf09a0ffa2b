import type { PromptBlock } from "@signalbox/protocol/wire";
import { imageProblem, imageType } from "./image.ts";

/** The largest PDF. A request may have 32 MB in base64, with the conversation before it. */
const MAX_PDF_BYTES = 20 * 1024 * 1024;
/** How far into a file its signature may be: some programs put a few bytes before it. */
const PDF_HEAD_BYTES = 1024;

export function isPdf(data: Uint8Array): boolean {
  return Buffer.from(data.subarray(0, PDF_HEAD_BYTES)).includes("%PDF-");
}

/**
 * Returns why a file cannot be sent to a model, or undefined if it can. The type is detected by the
 * first bytes.
 */
export function attachmentProblem(data: Uint8Array): string | undefined {
  if (data.length === 0) return "it is empty";
  if (isPdf(data)) {
    if (data.length <= MAX_PDF_BYTES) return undefined;
    return `it is a PDF of ${data.length} bytes, and at most ${MAX_PDF_BYTES} can be sent. Attach only the pages that matter`;
  }
  if (imageType(data)) return imageProblem(data);
  return "it is not PNG, JPEG, GIF, WebP or PDF";
}

/** Creates the content block of a file that was checked before. */
export function attachmentBlock(data: Uint8Array, name: string | undefined): PromptBlock {
  const base64 = Buffer.from(data).toString("base64");
  const type = imageType(data);
  if (type && !isPdf(data)) {
    return { type: "image", source: { type: "base64", media_type: type, data: base64 } };
  }
  return {
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data: base64 },
    ...(name !== undefined && { title: name }),
  };
}
