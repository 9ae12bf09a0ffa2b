import { memo, useMemo } from "react";
import { strings } from "../strings/strings.ts";
import { TextPieces } from "./marked-text.tsx";
import { visiblePieces } from "./visible.ts";

const signs: Readonly<Record<string, { look: string; spoken: string }>> = {
  "+": { look: "added", spoken: strings.tools.addedLine },
  "-": { look: "removed", spoken: strings.tools.removedLine },
};

/**
 * A change for a decision (C13): lines that begin with a space, `+` or `-`, each with every hidden character
 * marked as in `PlainText`.
 */
export const PlainChange = memo(function PlainChange({ text }: { text: string }) {
  const lines = useMemo(
    () => text.split("\n").map((line) => ({ sign: line[0], pieces: visiblePieces(line.slice(1)) })),
    [text],
  );
  return (
    <pre className="plain-text plain-change as-it-runs">
      {lines.map(({ sign = " ", pieces }, at) => (
        <span key={at} className={`change-line ${signs[sign]?.look ?? ""}`} data-sign={sign}>
          {signs[sign] && <span className="sr-only">{signs[sign].spoken}</span>}
          <TextPieces pieces={pieces} />
          {"\n"}
        </span>
      ))}
    </pre>
  );
});
