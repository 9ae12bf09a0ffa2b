import type { AskView } from "@signalbox/api";
import type { ReactNode } from "react";
import { AnswerButton } from "../guard/answer-button.tsx";

interface Props {
  readonly ask: AskView;
  readonly disabled: boolean;
  readonly role?: "allow" | "allow-edited";
  /** Something of the text is not shown yet: this opens it, and only then can it be allowed. */
  readonly folded?: () => void;
  /** The end of a long text has not been in sight: this goes there, and only then can it be allowed. */
  readonly unseen?: () => void;
  readonly onAllow: () => void;
  readonly children: ReactNode;
}

/** Says yes. Where the button that unfolds was, it is another and deaf at first: a double click does not do both. */
export function AllowButton(props: Props) {
  const { ask, disabled, role = "allow", folded, unseen, onAllow, children } = props;
  if (folded) {
    return (
      <button key="folded" type="button" className="button" data-role="unfold" onClick={folded}>
        Show everything first, then allow
      </button>
    );
  }
  if (unseen) {
    return (
      <button key="unseen" type="button" className="button" data-role="to-end" onClick={unseen}>
        Go to its end first, then allow
      </button>
    );
  }
  return (
    <AnswerButton
      of={ask.id}
      look="button-go min-w-0"
      role={role}
      disabled={disabled}
      onPress={onAllow}
    >
      {children}
    </AnswerButton>
  );
}
