import { memo, useMemo } from "react";
import { type Piece, steeringPieces } from "./visible.ts";

/**
 * Text of an agent or a person among other text: what would steer, reorder or hide stands there as a mark
 * with its name, and does nothing.
 */
export const MarkedText = memo(function Marked({ text }: { text: string }) {
  const pieces = useMemo(() => steeringPieces(text), [text]);
  return <TextPieces pieces={pieces} />;
});

/** What is copied has the characters themselves in the marks' places (`copy-marks.ts`). */
export function TextPieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map((piece, at) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      <span
        key={at}
        className="hidden-mark"
        title={piece.name}
        aria-label={piece.name}
        role="img"
        data-code={piece.text.codePointAt(0)}
      >
        {piece.sign}
      </span>
    ),
  );
}
