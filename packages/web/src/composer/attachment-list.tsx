import { X } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { type Image, imageDataUrl } from "./images.ts";

const text = strings.composer;

interface Props {
  readonly images: readonly Image[];
  readonly onChange: (images: readonly Image[]) => void;
}

/** The attachments of a draft, each with a button to remove it. */
export function AttachmentList({ images, onChange }: Props) {
  if (images.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-3.5 pt-3" aria-label={text.attachedImages}>
      {images.map((image, at) => {
        const name = inert(image.name ?? text.image(at + 1));
        return (
          <li key={at} className="relative">
            <img
              src={imageDataUrl(image)}
              alt={name}
              className="h-16 max-w-32 rounded-control border border-line object-cover"
            />
            <button
              type="button"
              className="absolute -top-1.5 -right-1.5 grid size-5 place-items-center rounded-full border border-line-strong bg-raised text-dim"
              aria-label={text.remove(name)}
              onClick={() => onChange(images.filter((_, other) => other !== at))}
            >
              <X aria-hidden="true" className="size-3!" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
