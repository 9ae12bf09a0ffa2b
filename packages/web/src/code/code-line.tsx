import { memo } from "react";
import { Marked } from "../text/marked.tsx";
import { type TokenLine, tokenClass } from "./highlight/tokens.ts";

/** One line of code in its colours. */
export const CodeLine = memo(function CodeLine({ tokens }: { tokens: TokenLine }) {
  return tokens.map(([text, kind], at) =>
    kind === 0 ? (
      <Marked key={at} text={text} />
    ) : (
      <span key={at} className={tokenClass[kind]}>
        <Marked text={text} />
      </span>
    ),
  );
});
