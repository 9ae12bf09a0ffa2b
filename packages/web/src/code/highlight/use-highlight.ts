import { useEffect, useMemo, useState } from "react";
import { highlight } from "./highlighter.ts";
import type { Language } from "./languages.ts";
import { highlightedLines, type TokenLine } from "./tokens.ts";

interface Highlighted {
  readonly code: string;
  readonly lines: readonly TokenLine[];
}

/** The lines of some code, plain at first and coloured soon after; their text never differs. */
export function useHighlight(code: string, language: Language | undefined): readonly TokenLine[] {
  const [coloured, setColoured] = useState<Highlighted>();
  useEffect(() => {
    if (!language || code === "") return undefined;
    let current = true;
    // Growing code is coloured at its pauses, or a worker would do it again for every word.
    const colour = async () => {
      const lines = await highlight(code, language);
      if (current && lines) setColoured({ code, lines });
    };
    const timer = setTimeout(() => void colour(), 60);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return useMemo(() => highlightedLines(code, coloured), [code, coloured]);
}
