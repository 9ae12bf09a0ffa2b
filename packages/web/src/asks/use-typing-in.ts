import { type FocusEvent, useState } from "react";
import { isTyping } from "../browser/typing.ts";

/** The ask, inside of an element, in whose text field the person is typing. */
export function useTypingIn() {
  const [typingIn, setTypingIn] = useState<string>();
  return {
    ...(typingIn !== undefined && { typingIn }),
    typingHandlers: {
      onFocus: ({ target }: FocusEvent) =>
        setTypingIn(
          isTyping(target) ? target.closest<HTMLElement>("[data-ask]")?.dataset["ask"] : undefined,
        ),
      onBlur: () => setTypingIn(undefined),
    },
  };
}
