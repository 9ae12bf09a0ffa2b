import { beforeCompaction, type Position, summary } from "../conversation/compaction.ts";
import { findPosition } from "../conversation/position.ts";
import type { MessagesRequest } from "../conversation/request.ts";
import { seenTexts } from "../conversation/seen.ts";
import { ModelError } from "../errors.ts";
import { parsePrompt } from "../script/parse.ts";
import type {
  ScriptedFailure,
  Scene,
  Script,
  ScriptedMessage,
  ScriptStep,
} from "../script/types.ts";
import { recall } from "./recall.ts";

/** What to send for one request: a message, and what happens to it before it is whole. */
export type Plan = { message: ScriptedMessage; failure?: ScriptedFailure };

const quotedChars = 200;
const otherNames = new Map([
  ["Task", "Agent"],
  ["Agent", "Task"],
]);
const done = saying("Done.");

/** Decides the answer to a request that has failed `failed` times already. */
export function planReply(script: Script, request: MessagesRequest, failed: number): Plan {
  const { messages, tools, aside } = request;
  if (aside) return { message: echo(findPosition(messages).prompt) };
  const summedUp = beforeCompaction(messages);
  if (summedUp) return { message: saying(summary(findPosition(summedUp))) };
  const message = messageAt(script, findPosition(messages));
  const seen = seenTexts(messages);
  const steps = message.steps.map((step) => recall(withOfferedName(step, tools), seen));
  return afterFailures({ ...message, steps }, failed);
}

function messageAt(script: Script, { prompt, answered }: Position): ScriptedMessage {
  try {
    const scene = parsePrompt(prompt) ?? sceneFor(script, prompt) ?? { messages: [echo(prompt)] };
    return scene.messages[answered] ?? done;
  } catch (error) {
    if (!ModelError.is(error, "SCRIPT_INVALID")) throw error;
    return saying(`This prompt's script has a mistake in ${error.message}`);
  }
}

function sceneFor({ scenes }: Script, prompt: string): Scene | undefined {
  const asked = prompt.toLowerCase();
  const named = scenes.find(({ match }) => match !== "*" && asked.includes(match.toLowerCase()));
  return named ?? scenes.find(({ match }) => match === "*");
}

/** The message up to the failure whose turn it is, or the whole message when all have had theirs. */
function afterFailures(message: ScriptedMessage, failed: number): Plan {
  let left = failed;
  for (const [index, step] of message.steps.entries()) {
    if (step.do !== "fail") continue;
    if (left < step.times) {
      const steps = message.steps.slice(0, index).filter(succeeds);
      return { message: { ...message, steps }, failure: step.failure };
    }
    left -= step.times;
  }
  const steps = message.steps.filter(succeeds);
  const nothingElse = steps.length === 0 && message.steps.length > 0;
  return { message: nothingElse ? done : { ...message, steps } };
}

function succeeds(step: ScriptStep): boolean {
  return step.do !== "fail";
}

/** 2.1.325 offers the subagent tool as `Agent`, 2.1.7 as `Task`: a script may say either. */
function withOfferedName(step: ScriptStep, offered: readonly string[]): ScriptStep {
  if (step.do !== "tool" || offered.includes(step.name)) return step;
  const other = otherNames.get(step.name);
  return other && offered.includes(other) ? { ...step, name: other } : step;
}

function echo(prompt: string): ScriptedMessage {
  return saying(`Echo: ${prompt.slice(0, quotedChars)}`);
}

function saying(text: string): ScriptedMessage {
  return { steps: [{ do: "say", text }], usage: {} };
}
