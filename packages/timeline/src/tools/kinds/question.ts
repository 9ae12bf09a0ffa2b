import type { JsonObject } from "@signalbox/protocol";
import { textOf } from "../content.ts";
import type { AskedQuestion, Question, ToolResult } from "../payload.ts";
import { isObject } from "@signalbox/protocol";
import { fieldsOf, given, listOf, said, saidOrNone } from "../values.ts";

export function questionCall(input: JsonObject): AskedQuestion {
  const questions = listOf(input["questions"]).map(question);
  return given({ kind: "question" as const, questions, answers: answers(input["answers"]) });
}

function question(value: unknown): Question {
  const { question, header, multiSelect, options } = fieldsOf(value);
  return given({
    question: said(question),
    header: saidOrNone(header),
    multiSelect: multiSelect === true,
    options: listOf(options).map(option),
  });
}

function option(value: unknown) {
  const { label, description, preview } = fieldsOf(value);
  return given({
    label: typeof value === "string" ? value : said(label),
    description: saidOrNone(description),
    preview: saidOrNone(preview),
  });
}

function answers(value: unknown): AskedQuestion["answers"] {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([asked, answer]) => [asked, said(answer)]));
}

export function questionResult(payload: AskedQuestion, result: ToolResult): AskedQuestion {
  const given = answers(fieldsOf(result.structured)["answers"]);
  return { ...payload, answers: given ?? answersIn(payload.questions, textOf(result.content)) };
}

/** Without the structure: `"which color?"="Blue"`, as both versions put it to the model. */
function answersIn(questions: readonly Question[], whole: string) {
  const pairs = questions.flatMap(({ question }): [string, string][] => {
    const head = `"${question}"="`;
    const at = whole.indexOf(head);
    const rest = at < 0 ? "" : whole.slice(at + head.length);
    const end = rest.indexOf('"');
    return end < 0 ? [] : [[question, rest.slice(0, end)]];
  });
  return Object.fromEntries(pairs);
}
