import type { AskView } from "@signalbox/api";
import { useId, useMemo, useState } from "react";
import { Preview } from "../items/parts/preview.tsx";
import { inert } from "../text/visible.ts";
import { askDraftName, useFormDraft } from "../store/use-form-draft.ts";
import { Deny } from "./deny.tsx";
import { FoldedPreview } from "./folded-preview.tsx";
import {
  buildAnswers,
  selectOption,
  selectOther,
  type QuestionAnswer,
  emptyAnswer,
  type FormQuestion,
  parseQuestions,
} from "./questions.ts";
import { strings } from "../strings/strings.ts";
import { useAnswer } from "./use-answer.ts";
import { useSettled } from "../guard/use-settled.ts";

const text = strings.asks;

const denyLabels = {
  open: text.skip,
  placeholder: text.answerPlaceholder,
  plain: text.skip,
  withMessage: text.skipWithMessage,
  isRefusal: false,
};

/** Questions of the agent, answered by selecting options or with the person's own text. */
export function QuestionAsk({ ask, compact }: { ask: AskView; compact: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const questions = useMemo(() => parseQuestions(ask.input), [ask.input]);
  const [chosen, setChosen] = useFormDraft<readonly QuestionAnswer[]>(
    askDraftName(ask.id, "answers"),
    questions.map(() => emptyAnswer),
  );
  const answers = buildAnswers(questions, chosen);
  const { ref, settled } = useSettled<HTMLButtonElement>(ask.id);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (answers) answer({ behavior: "answer", answers });
      }}
    >
      {questions.map((question, at) => (
        <QuestionField
          key={question.question}
          question={question}
          chosen={chosen[at] ?? emptyAnswer}
          compact={compact}
          onChange={(next) => setChosen(chosen.with(at, next))}
        />
      ))}
      <Deny
        ask={ask.id}
        session={ask.session}
        disabled={busy}
        labels={denyLabels}
        canStop={false}
        answer={answer}
      >
        <button
          ref={ref}
          type="submit"
          className="button button-solid"
          data-role="answer"
          disabled={busy || !answers}
          aria-disabled={!settled}
        >
          {questions.length > 1 ? text.submitAnswers : text.submitAnswer}
        </button>
      </Deny>
    </form>
  );
}

interface QuestionFieldProps {
  readonly question: FormQuestion;
  readonly chosen: QuestionAnswer;
  /** On a tile the previews are folded; elsewhere all are visible, so that they can be compared. */
  readonly compact: boolean;
  readonly onChange: (chosen: QuestionAnswer) => void;
}

function QuestionField({ question, chosen, compact, onChange }: QuestionFieldProps) {
  const name = useId();
  /**
   * Whether "Other" was selected just now. An answer that was restored from a draft does not take the focus.
   */
  const [picked, setPicked] = useState(false);
  const type = question.multiSelect ? "checkbox" : "radio";
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1">
        {question.header !== undefined && (
          <span className="text-small text-dim">{inert(question.header)}</span>
        )}{" "}
        <span className="mx-1 font-semibold">{inert(question.question)}</span>{" "}
        {question.multiSelect && <span className="text-small text-dim">{text.selectAll}</span>}
      </legend>
      {question.options.map(({ label, description, preview }) => (
        <div key={label}>
          <label className="choice">
            <input
              type={type}
              name={name}
              checked={chosen.labels.includes(label)}
              onChange={() => onChange(selectOption(question, chosen, label))}
            />
            <span>
              {inert(label)}{" "}
              {description !== undefined && (
                <span className="choice-description">{inert(description)}</span>
              )}
            </span>
          </label>
          {preview !== undefined && (
            <div className="ml-6">
              {compact ? (
                <FoldedPreview of={label} text={preview} chosen={chosen.labels.includes(label)} />
              ) : (
                <Preview text={preview} />
              )}
            </div>
          )}
        </div>
      ))}
      <div className="flex items-baseline gap-2">
        <label className="choice shrink-0">
          <input
            type={type}
            name={name}
            checked={chosen.useOther}
            onChange={() => {
              setPicked(true);
              onChange(selectOther(question, chosen, !chosen.useOther));
            }}
          />
          {text.other}
        </label>
        {chosen.useOther && (
          <textarea
            className="field"
            rows={1}
            autoFocus={picked}
            aria-label={text.ownAnswer(inert(question.question))}
            value={chosen.other}
            onChange={(event) => onChange({ ...chosen, other: event.target.value })}
          />
        )}
      </div>
    </fieldset>
  );
}
