import type { AskView } from "@signalbox/api";
import type { ReactNode } from "react";
import { strings } from "../strings/strings.ts";
import { AnswerButton } from "../guard/answer-button.tsx";

interface Props {
  readonly ask: AskView;
  readonly disabled: boolean;
  readonly role?: "allow" | "allow-edited";
  /** Set while part of the text is folded. The button then unfolds it instead of allowing. */
  readonly folded?: () => void;
  /**
   * Set while the end of a long text has not been visible. The button then scrolls there instead of allowing.
   */
  readonly unseen?: () => void;
  readonly onAllow: () => void;
  readonly children: ReactNode;
}

/**
 * The button that allows. It is another element than the buttons that unfold or scroll, so a double click
 * cannot do both.
 */
export function AllowButton(props: Props) {
  const { ask, disabled, role = "allow", folded, unseen, onAllow, children } = props;
  if (folded) {
    return (
      <button key="folded" type="button" className="button" data-role="unfold" onClick={folded}>
        {strings.asks.showAllFirst}
      </button>
    );
  }
  if (unseen) {
    return (
      <button key="unseen" type="button" className="button" data-role="to-end" onClick={unseen}>
        {strings.asks.scrollToEnd}
      </button>
    );
  }
  return (
    <AnswerButton
      of={ask.id}
      look="button-solid allow-button min-w-0"
      role={role}
      disabled={disabled}
      onPress={onAllow}
    >
      {children}
    </AnswerButton>
  );
}
