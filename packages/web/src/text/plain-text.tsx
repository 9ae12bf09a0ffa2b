import { memo, useMemo } from "react";
import { visiblePieces } from "./visible.ts";
import { TextPieces } from "./marked-text.tsx";

/**
 * Text as it is, for decisions (C13): no markdown, no colours, and every character that hides, steers or
 * reorders is shown as a mark with its name. Letters that run from right to left stand in the order of the
 * bytes, too: among them `a > b` would read as `b < a`.
 */
export const PlainText = memo(function PlainText({ text }: { text: string }) {
  const pieces = useMemo(() => visiblePieces(text), [text]);
  return (
    <pre className="plain-text as-it-runs">
      <TextPieces pieces={pieces} />
    </pre>
  );
});
