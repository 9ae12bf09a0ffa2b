import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { toSingleLine } from "./screen-text.ts";

interface Question {
  readonly question: string;
  readonly labels: readonly string[];
  readonly takesSeveral: boolean;
  /** The text of the question as it is shown. */
  readonly text: string;
}

/** Reads the questions of AskUserQuestion. */
export function readQuestions(input: JsonObject): Question[] {
  const all = Array.isArray(input["questions"]) ? input["questions"].filter(isObject) : [];
  return all.map((one, at) => {
    const question = String(one["question"]);
    const options = Array.isArray(one["options"]) ? one["options"].filter(isObject) : [];
    const count = all.length > 1 ? `(${at + 1} of ${all.length}) ` : "";
    const rows = options.map(({ label, description }, index) => {
      const more = typeof description === "string" ? ` — ${toSingleLine(description)}` : "";
      return `  ${index + 1}  ${toSingleLine(String(label))}${more}`;
    });
    return {
      question,
      labels: options.map(({ label }) => String(label)),
      takesSeveral: one["multiSelect"] === true,
      text: [`▲ ${count}${toSingleLine(question)}`, ...rows].join("\n"),
    };
  });
}

export function questionPrompt({ takesSeveral }: Question): string {
  return takesSeveral ? "Numbers with commas, or your words: " : "Number, or your words: ";
}

/** Reads what was chosen or typed; undefined if it was neither. */
export function readAnswer(reply: string, { labels, takesSeveral }: Question): string | undefined {
  const text = reply.trim();
  if (!/^[\d\s,]+$/.test(text)) return text === "" ? undefined : text;
  const chosen = text.split(/[\s,]+/).filter((one) => one !== "");
  if (chosen.length !== 1 && !takesSeveral) return undefined;
  const answers = [...new Set(chosen)].map((one) => labels[Number(one) - 1]);
  return answers.some((one) => one === undefined) ? undefined : answers.join(", ");
}
