interface AskOption {
  readonly label: string;
  readonly description?: string;
  readonly preview?: string;
}
export interface FormQuestion {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect: boolean;
  readonly options: readonly AskOption[];
}
/** The answer to a question so far. `other` counts if `useOther` is set and it is not empty. */
export interface QuestionAnswer {
  readonly labels: readonly string[];
  readonly other: string;
  readonly useOther: boolean;
}
export const emptyAnswer: QuestionAnswer = { labels: [], other: "", useOther: false };

export function parseQuestions(input: unknown): readonly FormQuestion[] {
  const asked = (input as { questions?: unknown } | null)?.questions;
  if (!Array.isArray(asked)) return [];
  return asked.flatMap((one: unknown) => {
    const it = (one ?? {}) as Record<string, unknown>;
    if (typeof it["question"] !== "string") return [];
    return [
      {
        question: it["question"],
        ...(typeof it["header"] === "string" && { header: it["header"] }),
        multiSelect: it["multiSelect"] === true,
        options: parseOptions(it["options"]),
      },
    ];
  });
}

function parseOptions(options: unknown): readonly AskOption[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: unknown) => {
    const it = (option ?? {}) as Record<string, unknown>;
    if (typeof it["label"] !== "string") return [];
    return [
      {
        label: it["label"],
        ...(typeof it["description"] === "string" && { description: it["description"] }),
        ...(typeof it["preview"] === "string" && { preview: it["preview"] }),
      },
    ];
  });
}

/** Selects an option. Without `multiSelect` it replaces the previous one. */
export function selectOption(
  question: FormQuestion,
  chosen: QuestionAnswer,
  label: string,
): QuestionAnswer {
  if (!question.multiSelect) return { ...chosen, labels: [label], useOther: false };
  const labels = chosen.labels.includes(label)
    ? chosen.labels.filter((other) => other !== label)
    : [...chosen.labels, label];
  return { ...chosen, labels };
}

export function selectOther(
  question: FormQuestion,
  chosen: QuestionAnswer,
  on: boolean,
): QuestionAnswer {
  return { ...chosen, useOther: on, labels: on && !question.multiSelect ? [] : chosen.labels };
}

/** The answers by question. Undefined while one is missing. */
export function buildAnswers(
  questions: readonly FormQuestion[],
  chosen: readonly QuestionAnswer[],
): Record<string, string | string[]> | undefined {
  const answers: Record<string, string | string[]> = {};
  for (const [at, question] of questions.entries()) {
    const { labels, other, useOther } = chosen[at] ?? emptyAnswer;
    const answerTexts = useOther && other.trim() !== "" ? [...labels, other.trim()] : [...labels];
    const [first] = answerTexts;
    if (first === undefined || (useOther && other.trim() === "")) return undefined;
    answers[question.question] = question.multiSelect ? answerTexts : first;
  }
  return answers;
}
