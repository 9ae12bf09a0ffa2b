import { memo, useMemo } from "react";
import { visiblePieces } from "../text/visible.ts";

/**
 * Text as it is, for decisions (C13): no markdown, no colours, and every character that hides, steers or
 * reorders is shown as a mark with its name.
 */
export const PlainText = memo(function PlainText({ text }: { text: string }) {
  const pieces = useMemo(() => visiblePieces(text), [text]);
  return (
    <pre className="plain-text" dir="ltr">
      {pieces.map((piece, at) =>
        piece.kind === "text" ? (
          piece.text
        ) : (
          <span
            key={at}
            className="hidden-mark"
            title={piece.name}
            aria-label={piece.name}
            role="img"
          >
            {piece.sign}
          </span>
        ),
      )}
    </pre>
  );
});
