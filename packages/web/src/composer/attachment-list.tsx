import { X } from "lucide-react";
import type { Attachment } from "../store/attachment.ts";
import { strings } from "../strings/strings.ts";
import { formatBytes } from "../text/format.ts";
import { countBase64Bytes } from "../text/image-source.ts";
import { openPdf } from "../text/open-pdf.ts";
import { inert } from "../text/visible.ts";
import { DocumentChip } from "../ui/document-chip.tsx";
import { imageDataUrl, isPdf } from "./attachments.ts";

const text = strings.composer;

interface Props {
  readonly attachments: readonly Attachment[];
  readonly onChange: (attachments: readonly Attachment[]) => void;
}

/** The attachments of a draft, each with a button to remove it. */
export function AttachmentList({ attachments, onChange }: Props) {
  if (attachments.length === 0) return null;
  return (
    <>
      <ul className="flex flex-wrap gap-2 px-3.5 pt-3" aria-label={text.attachments}>
        {attachments.map((attachment, at) => (
          <li key={at} className="relative max-w-full">
            <Preview attachment={attachment} name={getName(attachment, at)} />
            <button
              type="button"
              className="absolute -top-1.5 -right-1.5 grid size-5 place-items-center rounded-full border border-line-strong bg-raised text-dim"
              aria-label={text.remove(getName(attachment, at))}
              onClick={() => onChange(attachments.filter((_, other) => other !== at))}
            >
              <X aria-hidden="true" className="size-3!" />
            </button>
          </li>
        ))}
      </ul>
      {attachments.map((attachment, at) => (
        <ScaledNote key={at} attachment={attachment} name={getName(attachment, at)} />
      ))}
    </>
  );
}

function getName({ name, data }: Attachment, at: number): string {
  return inert(name ?? (isPdf(data) ? text.document(at + 1) : text.image(at + 1)));
}

interface PreviewProps {
  readonly attachment: Attachment;
  readonly name: string;
}

function Preview({ attachment, name }: PreviewProps) {
  const { data } = attachment;
  if (isPdf(data)) {
    const size = formatBytes(countBase64Bytes(data.length));
    return <DocumentChip name={name} size={size} onOpen={() => openPdf(data)} />;
  }
  return (
    <img
      src={imageDataUrl(attachment)}
      alt={name}
      className="h-16 max-w-32 rounded-control border border-line object-cover"
    />
  );
}

function ScaledNote({ attachment: { scaled }, name }: PreviewProps) {
  if (!scaled) return null;
  const { from, to } = scaled;
  return (
    <p className="px-3.5 pt-1.5 text-small text-dim" data-role="scaled">
      {strings.attachments.scaled(
        name,
        `${from.width} × ${from.height}`,
        `${to.width} × ${to.height}`,
      )}
    </p>
  );
}
