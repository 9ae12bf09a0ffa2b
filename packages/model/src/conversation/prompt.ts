import type { Block, Turn } from "./request.ts";

/** Blocks that Claude Code wraps around or puts beside what a person wrote. */
const wrappings =
  /<(system-reminder|local-command-caveat|local-command-stdout|local-command-stderr|command-name|command-message|command-args|task-notification)>[^]*?<\/\1>/g;

/** Sentences in the user's name that ask the model to go on: the scene goes on with them. */
const remarks = [
  /^Stop hook feedback:/, // a Stop hook that blocks
  /^Output token limit hit/, // 2.1.325, after stop_reason max_tokens
  /^Your response was cut off because/, // 2.1.7, the same
  /^Your response above was/, // 2.1.325, after a cut stream and after stop_reason refusal
  /^Continue from where you left off/,
  /^Tool loaded\.$/, // 2.1.325, after ToolSearch
  /^\[Request interrupted: the session ended/,
  /^Read the output file to retrieve the result:/, // 2.1.7, after a task-notification
  /^Full transcript available at:/, // 2.1.7, after a background agent's
];
const interruption = /^\[Request interrupted by user[^\]]*\]$/;

/** What 2.1.325 says in a system message when a person writes while the model works. */
const whileWorking =
  /The user sent a new message while you were working:\n([^]*?)\n\nThis is how Claude Code surfaces/g;

/** What a person said in one message, without all that the program put there; "" for nothing. */
export function findPrompt(turn: Turn): string {
  if (turn.role === "system") return listTexts(turn).flatMap(interjections).join("\n");
  if (turn.role !== "user") return "";
  const texts = removeSkills(turn).map((text) => text.replace(wrappings, "").trim());
  const promptTexts = texts.slice(texts.findLastIndex((text) => interruption.test(text)) + 1);
  // A prompt that was left without an answer shares its message with the next: the last one counts.
  return (
    promptTexts.findLast((text) => text !== "" && !remarks.some((remark) => remark.test(text))) ??
    ""
  );
}

/** The texts of a message; a `string` content is one. */
export function listTexts({ content }: Turn): string[] {
  return typeof content === "string" ? [content] : content.filter(isText).map(({ text }) => text);
}

/** The Skill tool's result is followed by the skill's own text, which is no prompt. */
function removeSkills(turn: Turn): string[] {
  if (typeof turn.content === "string") return [turn.content];
  const launched = turn.content.filter(
    ({ type, content }) =>
      type === "tool_result" &&
      typeof content === "string" &&
      content.startsWith("Launching skill:"),
  ).length;
  return listTexts(turn).slice(launched);
}

function interjections(text: string): string[] {
  return [...text.matchAll(whileWorking)].map(([, promptTexts = ""]) => promptTexts.trim());
}

function isText(block: Block): block is Block & { text: string } {
  return block.type === "text" && typeof block.text === "string";
}
