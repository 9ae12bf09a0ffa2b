import { FileText } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";

interface Props {
  readonly name: string;
  readonly size: string;
  readonly onOpen: () => void;
}

/** A PDF, shown by its name and size. It opens in a tab of its own. */
export function DocumentChip({ name, size, onOpen }: Props) {
  return (
    <button
      type="button"
      className="flex h-16 max-w-60 items-center gap-2.5 rounded-control border border-line bg-raised px-3 text-left hover:border-line-strong"
      data-role="document"
      aria-label={strings.content.openDocument(inert(name))}
      onClick={onOpen}
    >
      <FileText aria-hidden="true" className="size-5! shrink-0 text-dim" />
      <span className="min-w-0">
        <span className="block truncate text-control text-ink">{inert(name)}</span>
        <span className="block text-small text-dim">{strings.content.documentSize(size)}</span>
      </span>
    </button>
  );
}
