import { memo, useMemo } from "react";
import { visiblePieces } from "./visible.ts";
import { TextPieces } from "./marked-text.tsx";

/**
 * Text for decisions (C13): without Markdown or colors, and with every hidden, control or bidirectional
 * character shown as a mark. Right-to-left letters are shown in byte order as well; otherwise `a > b` among
 * them would read as `b < a`.
 */
export const PlainText = memo(function PlainText({ text }: { text: string }) {
  const pieces = useMemo(() => visiblePieces(text), [text]);
  return (
    <pre className="plain-text as-it-runs">
      <TextPieces pieces={pieces} />
    </pre>
  );
});
