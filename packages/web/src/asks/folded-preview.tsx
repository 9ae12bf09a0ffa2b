import { useId, useState } from "react";
import { Preview } from "../items/parts/preview.tsx";
import { inert } from "../text/visible.ts";
import { strings } from "../strings/strings.ts";

/** The preview of an option behind a button. Choosing the option also opens it. */
export function FoldedPreview(props: { of: string; text: string; chosen: boolean }) {
  const { of, text, chosen } = props;
  const [isToggledOpen, setToggledOpen] = useState<boolean>();
  const id = useId();
  const open = isToggledOpen ?? chosen;
  const label = open ? strings.asks.hidePreview : strings.asks.preview;
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        aria-label={`${label}: ${inert(of)}`}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setToggledOpen(!open)}
      >
        {label}
      </button>
      <div id={id}>{open && <Preview text={text} />}</div>
    </>
  );
}
