import { beginning, type Body, isCut, type ShownItemOf } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { PlainText } from "../../text/plain-text.tsx";
import { Prose } from "../parts/prose.tsx";
import { isEmptyJson, pretty } from "../../text/format-json.ts";
import { OneQuestion, type ShownQuestion } from "../tools/question.tsx";

type Ask = ShownItemOf<"ask">;
type Fields = Readonly<Record<string, unknown>>;

/** What was asked, as it was to be read: a plan as prose, questions with what was chosen, a command alone. */
export function AskInput({ item }: { item: Ask }) {
  const { input, inputBefore } = item;
  const ask = beginning(item.ask, 40);
  if (inputBefore === undefined) return <Readable ask={ask} input={input} />;
  return (
    <>
      <Section label="what was asked for">
        <Readable ask={ask} input={inputBefore} />
      </Section>
      <Section label="what was allowed in its place">
        <Readable ask={ask} input={input} />
      </Section>
    </>
  );
}

function Readable({ ask, input }: { ask: string; input: unknown }) {
  const { plan, questions, answers, ...rest } = fieldsOf(input);
  if (ask === "plan" && isBody(plan)) {
    return (
      <>
        <div className="card-section">
          <Prose body={plan} />
        </div>
        <Rest of={{ ...rest, questions, answers }} />
      </>
    );
  }
  const asked = ask === "question" ? questionsOf(questions) : undefined;
  if (!asked) return <PlainText text={inputText(input)} />;
  const chosen = fieldsOf(answers);
  return (
    <>
      {asked.map((question, at) => (
        <OneQuestion key={at} question={question} answer={answerOf(chosen, question.question)} />
      ))}
      <Rest of={{ ...rest, plan }} />
    </>
  );
}

/** Whatever else came with it: nothing of an input is left out. */
function Rest({ of }: { of: Fields }) {
  const some = Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
  if (isEmptyJson(some)) return null;
  return (
    <Section label="besides">
      <PlainText text={pretty(some)} />
    </Section>
  );
}

/** A command alone is read more easily than as JSON. */
function inputText(input: unknown): string {
  const { command, ...rest } = fieldsOf(input);
  return typeof command === "string" && isEmptyJson(rest) ? command : pretty(input);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function isBody(value: unknown): value is Body {
  return typeof value === "string" || isCut(value);
}

/** Undefined: they are not all of the shape that is known, and all is shown as it came. */
function questionsOf(questions: unknown): readonly ShownQuestion[] | undefined {
  if (!Array.isArray(questions) || questions.length === 0) return undefined;
  const read = questions.map((one: unknown) => {
    const { question, header, multiSelect, options } = fieldsOf(one);
    if (!isBody(question) || !Array.isArray(options)) return undefined;
    const choices = options.map(fieldsOf);
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

/** Several choices come as a list, or as one text. */
function answerOf(answers: Fields, question: Body): Body | undefined {
  const name = isCut(question) ? `${question.head}\n…\n${question.tail}` : question;
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
  if (Array.isArray(answer)) return answer.map(String).join(", ");
  return isBody(answer) ? answer : undefined;
}
