import { type FocusEvent, useState } from "react";
import { isTyping } from "../browser/typing.ts";

/** The ask inside of an element in whose field somebody writes, and what the element needs for that. */
export function useWritten() {
  const [written, setWritten] = useState<string>();
  return {
    ...(written !== undefined && { written }),
    writing: {
      onFocus: ({ target }: FocusEvent) =>
        setWritten(
          isTyping(target) ? target.closest<HTMLElement>("[data-ask]")?.dataset["ask"] : undefined,
        ),
      onBlur: () => setWritten(undefined),
    },
  };
}
