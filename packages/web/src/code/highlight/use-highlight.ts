import { useEffect, useMemo, useState } from "react";
import { highlight } from "./highlighter.ts";
import type { Language } from "./languages.ts";
import { highlightedLines, type TokenLine } from "./tokens.ts";

interface Highlighted {
  readonly code: string;
  readonly lines: readonly TokenLine[];
}

/** The lines of some code, plain at first and highlighted soon after. Their text is the same. */
export function useHighlight(code: string, language: Language | undefined): readonly TokenLine[] {
  const [colored, setColored] = useState<Highlighted>();
  useEffect(() => {
    if (!language || code === "") return undefined;
    let current = true;
    // Wait for a pause, or growing code would be highlighted again for every word.
    const colour = async () => {
      const lines = await highlight(code, language);
      if (current && lines) setColored({ code, lines });
    };
    const timer = setTimeout(() => void colour(), 60);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return useMemo(() => highlightedLines(code, colored), [code, colored]);
}
