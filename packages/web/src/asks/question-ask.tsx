import type { AskView } from "@signalbox/api";
import { useId, useMemo, useState } from "react";
import { Preview } from "../items/parts/preview.tsx";
import { inert } from "../text/visible.ts";
import { draftOfAsk, useKept } from "../store/use-form-draft.ts";
import { Deny } from "./deny.tsx";
import { FoldedPreview } from "./folded-preview.tsx";
import {
  answersOf,
  choose,
  chooseOther,
  type Chosen,
  nothingChosen,
  type Question,
  questionsOf,
} from "./questions.ts";
import { useAnswer } from "./use-answer.ts";
import { useSettled } from "../guard/use-settled.ts";

const words = {
  hint: "Answer with words of your own instead (optional)",
  plain: "Do not answer",
  said: "Do not choose, say this",
};

/** Questions of the agent's: one or several choices, or words of one's own. */
export function QuestionAsk({ ask, tight }: { ask: AskView; tight: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const questions = useMemo(() => questionsOf(ask.input), [ask.input]);
  const [chosen, setChosen] = useKept<readonly Chosen[]>(
    draftOfAsk(ask.id, "answers"),
    questions.map(() => nothingChosen),
  );
  const answers = answersOf(questions, chosen);
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
        <OneQuestion
          key={question.question}
          question={question}
          chosen={chosen[at] ?? nothingChosen}
          tight={tight}
          onChange={(next) => setChosen(chosen.with(at, next))}
        />
      ))}
      <div>
        <button
          ref={ref}
          type="submit"
          className="button button-go"
          data-role="answer"
          disabled={busy || !answers}
          aria-disabled={!settled}
        >
          {questions.length > 1 ? "Send these answers" : "Send this answer"}
        </button>
      </div>
      {!tight && (
        <Deny ask={ask.id} disabled={busy} words={words} canStop={false} answer={answer} />
      )}
    </form>
  );
}

interface OneProps {
  readonly question: Question;
  readonly chosen: Chosen;
  /** A tile has room for one preview at a time; elsewhere all are compared. */
  readonly tight: boolean;
  readonly onChange: (chosen: Chosen) => void;
}

function OneQuestion({ question, chosen, tight, onChange }: OneProps) {
  const name = useId();
  /** Chosen now, by hand: what was chosen on an earlier visit takes no focus from what is done meanwhile. */
  const [picked, setPicked] = useState(false);
  const type = question.multiSelect ? "checkbox" : "radio";
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1">
        {question.header !== undefined && (
          <span className="text-small text-dim">{inert(question.header)}</span>
        )}{" "}
        <span className="mx-1 font-semibold">{inert(question.question)}</span>{" "}
        {question.multiSelect && <span className="text-small text-dim">several may stand</span>}
      </legend>
      {question.options.map(({ label, description, preview }) => (
        <div key={label}>
          <label className="choice">
            <input
              type={type}
              name={name}
              checked={chosen.labels.includes(label)}
              onChange={() => onChange(choose(question, chosen, label))}
            />
            <span>
              {inert(label)}{" "}
              {description !== undefined && (
                <span className="ml-1 text-dim">{inert(description)}</span>
              )}
            </span>
          </label>
          {preview !== undefined && (
            <div className="ml-6">
              {tight ? (
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
              onChange(chooseOther(question, chosen, !chosen.useOther));
            }}
          />
          Other
        </label>
        {chosen.useOther && (
          <textarea
            className="field"
            rows={1}
            autoFocus={picked}
            aria-label={`Your own answer to: ${inert(question.question)}`}
            value={chosen.other}
            onChange={(event) => onChange({ ...chosen, other: event.target.value })}
          />
        )}
      </div>
    </fieldset>
  );
}
