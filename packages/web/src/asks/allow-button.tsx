import type { AskView } from "@signalbox/api";
import type { ReactNode } from "react";
import { strings } from "../strings/strings.ts";
import { AnswerButton } from "../guard/answer-button.tsx";

interface Props {
  readonly ask: AskView;
  readonly disabled: boolean;
  readonly role?: "allow" | "allow-edited";
  /** Set while part of the text is folded. The button then unfolds it instead of allowing. */
  readonly onUnfold?: () => void;
  /**
   * Set while the end of a long text has not been visible. The button then scrolls there instead of allowing.
   */
  readonly onScrollToEnd?: () => void;
  readonly onAllow: () => void;
  readonly children: ReactNode;
}

/**
 * The button that allows. It is another element than the buttons that unfold or scroll, so a double click
 * cannot do both.
 */
export function AllowButton(props: Props) {
  const { ask, disabled, role = "allow", onUnfold, onScrollToEnd, onAllow, children } = props;
  if (onUnfold) {
    return (
      <button key="folded" type="button" className="button" data-role="unfold" onClick={onUnfold}>
        {strings.asks.showAllFirst}
      </button>
    );
  }
  if (onScrollToEnd) {
    return (
      <button
        key="unseen"
        type="button"
        className="button"
        data-role="to-end"
        onClick={onScrollToEnd}
      >
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
