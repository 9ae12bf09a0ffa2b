import type { NewPrompt } from "@signalbox/api";

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** A picture or a PDF of a draft. */
export type Attachment = NonNullable<NewPrompt["images"]>[number] & {
  /** Set if the picture was scaled down. */
  readonly scaled?: { readonly from: PixelSize; readonly to: PixelSize };
};
