import type { ToolQuestion } from "@signalbox/timeline";
import { type Body, toShortText, joinEnds, type MaybeCut } from "../../text/body.ts";
import { BodyPreview } from "../parts/preview.tsx";
import { matchSelectedOptions } from "./selected-options.ts";
import { lookup } from "../../text/lookup.ts";
import { ToolCard, type ToolProps, useIsAskDocked } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

const text = strings.tools;

/** Questions to the person and their answers. */
export function QuestionView({ item, payload }: ToolProps<"question">) {
  const { questions, answers } = payload;
  const elsewhere = useIsAskDocked(item);
  const answered = answers !== undefined && Object.keys(answers).length > 0;
  return (
    <ToolCard
      item={item}
      name={text.question}
      title={
        questions.length === 1
          ? toShortText(questions[0]?.question)
          : text.questions(questions.length)
      }
      mono={false}
      open
      meta={
        item.status === "complete" && <span>{answered ? text.answered : text.notAnswered}</span>
      }
    >
      {!elsewhere &&
        questions.map((question, at) => (
          <AnsweredQuestion
            key={at}
            question={question}
            answer={lookup(answers ?? {}, joinEnds(question.question))}
          />
        ))}
    </ToolCard>
  );
}

export type DisplayQuestion = MaybeCut<ToolQuestion>;

export function AnsweredQuestion({
  question,
  answer,
}: {
  question: DisplayQuestion;
  answer: Body | undefined;
}) {
  const labels = question.options.map(({ label }) => toShortText(label));
  const chosen = matchSelectedOptions(answer === undefined ? undefined : joinEnds(answer), labels);
  return (
    <div className="card-section">
      <p className="font-semibold">
        {question.header !== undefined && (
          <span className="text-dim">{toShortText(question.header)} · </span>
        )}
        {toShortText(question.question, 2000)}
      </p>
      <ul className="options" data-many={question.multiSelect}>
        {question.options.map((option, at) => (
          <li key={at} data-chosen={chosen.labels.has(labels[at] ?? "")}>
            <ChoiceMark chosen={chosen.labels.has(labels[at] ?? "")} many={question.multiSelect} />
            <div className="min-w-0">
              {labels[at]}
              {option.description !== undefined && (
                <span className="text-dim"> · {toShortText(option.description, 600)}</span>
              )}
              {option.preview !== undefined && <BodyPreview body={option.preview} />}
            </div>
          </li>
        ))}
        {chosen.otherText !== "" && (
          <li data-chosen="true">
            <ChoiceMark chosen many={question.multiSelect} />
            <div className="min-w-0">
              <span className="text-dim">{text.ownAnswer} </span>
              {chosen.otherText}
            </div>
          </li>
        )}
      </ul>
    </div>
  );
}

function ChoiceMark({ chosen, many }: { chosen: boolean; many: boolean }) {
  return (
    <svg
      viewBox="0 0 12 12"
      className="mt-1 size-3 shrink-0"
      role="img"
      aria-label={chosen ? text.selected : text.notSelected}
    >
      <rect
        x="1"
        y="1"
        width="10"
        height="10"
        rx={many ? 2 : 5}
        fill="none"
        stroke="currentColor"
      />
      {chosen && (
        <rect x="3.5" y="3.5" width="5" height="5" rx={many ? 1 : 2.5} fill="currentColor" />
      )}
    </svg>
  );
}
