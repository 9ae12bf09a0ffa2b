import { useId, useState } from "react";
import { Preview } from "../items/parts/preview.tsx";
import { inert } from "../text/visible.ts";

/** The preview of an option behind a button. Choosing the option also opens it. */
export function FoldedPreview(props: { of: string; text: string; chosen: boolean }) {
  const { of, text, chosen } = props;
  const [wanted, want] = useState<boolean>();
  const id = useId();
  const open = wanted ?? chosen;
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        aria-label={`${open ? "Hide the preview" : "Preview"}: ${inert(of)}`}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => want(!open)}
      >
        {open ? "Hide the preview" : "Preview"}
      </button>
      <div id={id}>{open && <Preview text={text} />}</div>
    </>
  );
}
