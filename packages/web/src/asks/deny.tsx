import type { HubDecision } from "@signalbox/api";
import { isEnter } from "../browser/typing.ts";
import { draftOfAsk, useKept } from "../store/use-form-draft.ts";
import { AnswerButton } from "../guard/answer-button.tsx";

interface Props {
  /** Whose words are kept while they are written. */
  readonly ask: string;
  readonly disabled: boolean;
  readonly words: { readonly hint: string; readonly plain: string; readonly said: string };
  readonly canStop?: boolean;
  readonly answer: (decision: HubDecision) => void;
}

export const denyWords = {
  hint: "Why not, or what to do instead (optional)",
  plain: "Deny",
  said: "Deny with these words",
};

/** No, with words for the agent, or with an end to its turn. */
export function Deny({ ask, disabled, words, canStop = true, answer }: Props) {
  const [text, setText] = useKept(draftOfAsk(ask, "deny"), "");
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
        aria-label={words.hint}
        placeholder={words.hint}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (!isEnter(event) || message === "") return;
          event.preventDefault();
          if (!disabled) deny(false);
        }}
      />
      <AnswerButton of={ask} role="deny" disabled={disabled} onPress={() => deny(false)}>
        {message === "" ? words.plain : words.said}
      </AnswerButton>
      {canStop && (
        <AnswerButton
          of={ask}
          role="deny-and-stop"
          look="button-end"
          disabled={disabled}
          onPress={() => deny(true)}
        >
          Deny and stop the turn
        </AnswerButton>
      )}
    </div>
  );
}
