import type { AskView, HubDecision } from "@signalbox/api";

/** The input fields that say what a call does, in the order in which they are tried. */
const descriptiveFields = [
  "command",
  "file_path",
  "notebook_path",
  "path",
  "url",
  "pattern",
  "query",
];
const HEAD_CHARACTERS = 300;
const TAIL_CHARACTERS = 100;

/** What the audit log keeps of an ask that ended. A hash stands for the whole input. */
export function getAskFacts(ask: AskView): Record<string, unknown> {
  const { id, tool, title, hash } = ask;
  return {
    ask: id,
    ...(tool !== undefined && { tool }),
    title,
    hash,
    input: summarizeInput(ask.input),
  };
}

/** What the audit log keeps of an answer. `edited` is the input that was allowed in place of the agent's. */
export function getAnswerFacts(ask: AskView, decision: HubDecision): Record<string, unknown> {
  const edited = decision.behavior === "allow" ? decision.input : undefined;
  return {
    ...getAskFacts(ask),
    decision,
    ...(edited !== undefined && { edited: summarizeInput(edited) }),
  };
}

/**
 * One line that says what a call would do. It is taken from the input, such as the command or the path, and
 * never from a description by the agent. A long text keeps both ends, so that an agent cannot push the
 * important part out of sight.
 */
function summarizeInput(input: unknown): string {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Readonly<
    Record<string, unknown>
  >;
  const telling = descriptiveFields.map((name) => fields[name]).find(isText);
  const text = (telling ?? JSON.stringify(input) ?? "").replaceAll(/\r\n|[\n\r\u2028\u2029]/g, "⏎");
  const characters = Array.from(text);
  if (characters.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  const hidden = characters.length - HEAD_CHARACTERS - TAIL_CHARACTERS;
  return `${characters.slice(0, HEAD_CHARACTERS).join("")} … ${hidden} more characters … ${characters.slice(-TAIL_CHARACTERS).join("")}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
