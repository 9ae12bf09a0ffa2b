import { memo, useMemo } from "react";
import { type Piece, steeringPieces } from "./visible.ts";

/**
 * Untrusted text among other text. Control and bidirectional characters are shown as marks and have no
 * effect.
 */
export const MarkedText = memo(function Marked({ text }: { text: string }) {
  const pieces = useMemo(() => steeringPieces(text), [text]);
  return <TextPieces pieces={pieces} />;
});

/** Renders pieces of text and marks. Copying restores the characters (`copy-marks.ts`). */
export function TextPieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map((piece, at) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      <span
        key={at}
        className="hidden-mark"
        data-tip={piece.name}
        aria-label={piece.name}
        role="img"
        data-code={piece.text.codePointAt(0)}
      >
        {piece.sign}
      </span>
    ),
  );
}
