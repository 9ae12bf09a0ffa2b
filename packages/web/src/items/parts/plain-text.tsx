import { memo, useMemo } from "react";
import { visiblePieces } from "../text/visible.ts";
import { Pieces } from "./marked.tsx";

/**
 * Text as it is, for decisions (C13): no markdown, no colours, and every character that hides, steers or
 * reorders is shown as a mark with its name.
 */
export const PlainText = memo(function PlainText({ text }: { text: string }) {
  const pieces = useMemo(() => visiblePieces(text), [text]);
  return (
    <pre className="plain-text" dir="ltr">
      <Pieces pieces={pieces} />
    </pre>
  );
});
