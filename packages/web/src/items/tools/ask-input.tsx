import { toShortRawText, type Body, isCut, type DisplayItemOfKind } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { PlainText } from "../../text/plain-text.tsx";
import { Prose } from "../parts/prose.tsx";
import { isEmptyJson, formatJson } from "../../text/format-json.ts";
import { AnsweredQuestion, type DisplayQuestion } from "./question.tsx";
import { isBody } from "../../text/body.ts";
import { strings } from "../../strings/strings.ts";

const text = strings.items;

type Ask = DisplayItemOfKind<"ask">;
type Fields = Readonly<Record<string, unknown>>;

/** The input of an ask in readable form: a plan as prose, questions with their answers, a command by itself. */
export function AskInput({ item }: { item: Ask }) {
  const { input, inputBefore } = item;
  const ask = toShortRawText(item.ask, 40);
  if (inputBefore === undefined) return <AskContent ask={ask} input={input} />;
  return (
    <>
      <Section label={text.requested}>
        <AskContent ask={ask} input={inputBefore} />
      </Section>
      <Section label={text.allowedInstead}>
        <AskContent ask={ask} input={input} />
      </Section>
    </>
  );
}

function AskContent({ ask, input }: { ask: string; input: unknown }) {
  const { plan, questions, answers, ...rest } = toFields(input);
  if (ask === "plan" && isBody(plan)) {
    return (
      <>
        <div className="card-section">
          <Prose body={plan} />
        </div>
        <RemainingFields of={{ ...rest, questions, answers }} />
      </>
    );
  }
  const asked = ask === "question" ? parseQuestions(questions) : undefined;
  if (!asked) return <PlainText text={inputText(input)} />;
  const chosen = toFields(answers);
  return (
    <>
      {asked.map((question, at) => (
        <AnsweredQuestion
          key={at}
          question={question}
          answer={findAnswer(chosen, question.question)}
        />
      ))}
      <RemainingFields of={{ ...rest, plan }} />
    </>
  );
}

/** The remaining fields, so that nothing of the input is hidden. */
function RemainingFields({ of }: { of: Fields }) {
  const some = Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
  if (isEmptyJson(some)) return null;
  return (
    <Section label={text.otherFields}>
      <PlainText text={formatJson(some)} />
    </Section>
  );
}

/** A lone command is shown as text instead of JSON. */
function inputText(input: unknown): string {
  const { command, ...rest } = toFields(input);
  return typeof command === "string" && isEmptyJson(rest) ? command : formatJson(input);
}

function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** Undefined if the questions do not have the expected shape; they are then shown as JSON. */
function parseQuestions(questions: unknown): readonly DisplayQuestion[] | undefined {
  if (!Array.isArray(questions) || questions.length === 0) return undefined;
  const read = questions.map((one: unknown) => {
    const { question, header, multiSelect, options } = toFields(one);
    if (!isBody(question) || !Array.isArray(options)) return undefined;
    const choices = options.map(toFields);
    if (!choices.every(({ label }) => isBody(label))) return undefined;
    return {
      question,
      ...(isBody(header) && { header }),
      multiSelect: multiSelect === true,
      options: choices.map(({ label, description, preview }) => ({
        label: label as Body,
        ...(isBody(description) && { description }),
        ...(isBody(preview) && { preview }),
      })),
    };
  });
  return read.every((one) => one !== undefined) ? read : undefined;
}

/** The answer to a question. Several choices may come as a list or as one text. */
function findAnswer(answers: Fields, question: Body): Body | undefined {
  const name = isCut(question) ? `${question.head}\n…\n${question.tail}` : question;
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
  if (Array.isArray(answer)) return answer.map(String).join(", ");
  return isBody(answer) ? answer : undefined;
}
