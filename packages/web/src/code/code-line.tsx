import { memo } from "react";
import { MarkedText } from "../text/marked-text.tsx";
import { type TokenLine, tokenClass } from "./highlight/tokens.ts";

/** One highlighted line of code. */
export const CodeLine = memo(function CodeLine({ tokens }: { tokens: TokenLine }) {
  return tokens.map(([text, kind], at) =>
    kind === 0 ? (
      <MarkedText key={at} text={text} />
    ) : (
      <span key={at} className={tokenClass[kind]}>
        <MarkedText text={text} />
      </span>
    ),
  );
});
