import { flag, shape, string, type Tool } from "../tool.ts";

type Question = { question: string };

export const askUserQuestion: Tool = {
  name: "AskUserQuestion",
  description:
    "Asks the user up to four questions with two to four answers each to choose from; they may also answer in words of their own. For decisions that are theirs and that the work cannot answer.",
  input: shape(
    {
      questions: {
        type: "array",
        minItems: 1,
        maxItems: 4,
        items: shape(
          {
            question: string("The whole question"),
            header: string("One or two words above it"),
            options: {
              type: "array",
              minItems: 2,
              maxItems: 4,
              items: shape(
                { label: string("The answer"), description: string("What it means") },
                { preview: string("What it would look like") },
              ),
            },
          },
          { multiSelect: { ...flag("Several answers may be chosen"), default: false } },
        ),
      },
    },
    { answers: { type: "object" }, annotations: { type: "object" }, metadata: { type: "object" } },
  ),
  beginsAtOnce: () => true,
  sideBySide: () => true,
  needsPerson: true,
  shown(input) {
    const questions = (input["questions"] as Record<string, unknown>[]).map(
      ({ question, header, options, multiSelect, ...more }) => ({
        question,
        header,
        options,
        multiSelect: multiSelect ?? false,
        ...more,
      }),
    );
    return { ...input, questions };
  },
  judge: () => ({ behavior: "ask" }),
  async run(input) {
    const questions = input["questions"] as Question[];
    const answers = (input["answers"] ?? {}) as Record<string, string>;
    const answerTexts = Object.entries(answers).map(
      ([question, answer]) => `"${question}"="${answer}"`,
    );
    const content =
      answerTexts.length === 0
        ? "The user did not answer the questions."
        : `Your questions have been answered: ${answerTexts.join(", ")}. Go on accordingly.`;
    return { content, structured: { questions, answers } };
  },
};
