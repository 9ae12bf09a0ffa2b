import type { HubDecision } from "@signalbox/api";
import { isPlainEnter } from "../browser/typing.ts";
import { askDraftName, useFormDraft } from "../store/use-form-draft.ts";
import { AnswerButton } from "../guard/answer-button.tsx";

interface Props {
  /** The id of the ask under which the text is saved while it is typed. */
  readonly ask: string;
  readonly disabled: boolean;
  readonly labels: { readonly hint: string; readonly plain: string; readonly said: string };
  readonly canStop?: boolean;
  readonly answer: (decision: HubDecision) => void;
}

export const permissionDenyLabels = {
  hint: "Why not, or what to do instead (optional)",
  plain: "Deny",
  said: "Deny with these words",
};

/** The controls to deny a request, with an optional message for the agent or by stopping its turn. */
export function Deny({ ask, disabled, labels, canStop = true, answer }: Props) {
  const [text, setText] = useFormDraft(askDraftName(ask, "deny"), "");
  const message = text.trim();
  const deny = (stop: boolean) =>
    answer({
      behavior: "deny",
      ...(message !== "" && { message }),
      ...(stop && { stop: true }),
    });
  return (
    <div className="flex flex-wrap items-end gap-2 pointer-fine:[&>.button]:min-h-8">
      <textarea
        className="field min-w-48 flex-1"
        rows={1}
        data-role="deny-words"
        aria-label={labels.hint}
        placeholder={labels.hint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (!isPlainEnter(event) || message === "") return;
          event.preventDefault();
          if (!disabled) deny(false);
        }}
      />
      <AnswerButton of={ask} role="deny" disabled={disabled} onPress={() => deny(false)}>
        {message === "" ? labels.plain : labels.said}
      </AnswerButton>
      {canStop && (
        <AnswerButton
          of={ask}
          role="deny-and-stop"
          look="button-danger"
          disabled={disabled}
          onPress={() => deny(true)}
        >
          Deny and stop the turn
        </AnswerButton>
      )}
    </div>
  );
}
