import type { JsonObject } from "@signalbox/protocol";
import { extractText } from "../../tool-payload/content.ts";
import type { AskedQuestion, ToolQuestion, ToolResult } from "../../tool-payload/payload.ts";
import { isObject } from "@signalbox/protocol/wire";
import {
  toFields,
  omitUndefined,
  toList,
  stringify,
  stringifyOrUndefined,
} from "../../tool-payload/values.ts";

export function questionCall(input: JsonObject): AskedQuestion {
  const questions = toList(input["questions"]).map(question);
  return omitUndefined({
    kind: "question" as const,
    questions,
    answers: answers(input["answers"]),
  });
}

function question(value: unknown): ToolQuestion {
  const { question, header, multiSelect, options } = toFields(value);
  return omitUndefined({
    question: stringify(question),
    header: stringifyOrUndefined(header),
    multiSelect: multiSelect === true,
    options: toList(options).map(option),
  });
}

function option(value: unknown) {
  const { label, description, preview } = toFields(value);
  return omitUndefined({
    label: typeof value === "string" ? value : stringify(label),
    description: stringifyOrUndefined(description),
    preview: stringifyOrUndefined(preview),
  });
}

function answers(value: unknown): AskedQuestion["answers"] {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([asked, answer]) => [asked, stringify(answer)]),
  );
}

export function questionResult(payload: AskedQuestion, result: ToolResult): AskedQuestion {
  const given = answers(toFields(result.structured)["answers"]);
  return {
    ...payload,
    answers: given ?? extractAnswers(payload.questions, extractText(result.content)),
  };
}

/** Results without structure: `"which color?"="Blue"`, as both versions write it for the model. */
function extractAnswers(questions: readonly ToolQuestion[], whole: string) {
  const pairs = questions.flatMap(({ question }): [string, string][] => {
    const head = `"${question}"="`;
    const at = whole.indexOf(head);
    const rest = at < 0 ? "" : whole.slice(at + head.length);
    const end = rest.indexOf('"');
    return end < 0 ? [] : [[question, rest.slice(0, end)]];
  });
  return Object.fromEntries(pairs);
}
