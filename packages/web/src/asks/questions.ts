export interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly preview?: string;
}
export interface Question {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect: boolean;
  readonly options: readonly Choice[];
}
/** What is chosen for a question so far. `other` counts when it is switched on and has words. */
export interface Chosen {
  readonly labels: readonly string[];
  readonly other: string;
  readonly useOther: boolean;
}
export const nothingChosen: Chosen = { labels: [], other: "", useOther: false };

export function questionsOf(input: unknown): readonly Question[] {
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
        options: choices(it["options"]),
      },
    ];
  });
}

function choices(options: unknown): readonly Choice[] {
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

/** One choice takes the place of another, unless several may stand. */
export function choose(question: Question, chosen: Chosen, label: string): Chosen {
  if (!question.multiSelect) return { ...chosen, labels: [label], useOther: false };
  const labels = chosen.labels.includes(label)
    ? chosen.labels.filter((other) => other !== label)
    : [...chosen.labels, label];
  return { ...chosen, labels };
}

export function chooseOther(question: Question, chosen: Chosen, on: boolean): Chosen {
  return { ...chosen, useOther: on, labels: on && !question.multiSelect ? [] : chosen.labels };
}

/** The answers by question; undefined: one of them has none yet. */
export function answersOf(
  questions: readonly Question[],
  chosen: readonly Chosen[],
): Record<string, string | string[]> | undefined {
  const answers: Record<string, string | string[]> = {};
  for (const [at, question] of questions.entries()) {
    const { labels, other, useOther } = chosen[at] ?? nothingChosen;
    const said = useOther && other.trim() !== "" ? [...labels, other.trim()] : [...labels];
    const [first] = said;
    if (first === undefined || (useOther && other.trim() === "")) return undefined;
    answers[question.question] = question.multiSelect ? said : first;
  }
  return answers;
}
