import type { Message } from "@signalbox/protocol";
import { type ContentPart, type Lane, MAIN } from "../event.ts";
import type { Draft } from "./draft.ts";
import { list, object, text } from "./fields.ts";
import { endMessage, findOpenMessage } from "./lanes.ts";
import { isRecent, isRepeated, remember, wasEmitted } from "./recent-messages.ts";
import {
  onPromptArrived,
  findEchoedPrompt,
  isCommand,
  onPromptSent,
  onPromptResent,
} from "./prompts.ts";
import { separateContext } from "./prompt-context.ts";
import { readText } from "./assistant.ts";
import { toLane } from "./state.ts";
import { isSummary, extractSummary } from "./compaction-summary.ts";
import { onTaskText } from "./tasks.ts";
import { onResultBlock } from "./tools.ts";

const INTERRUPTED = /^\[Request interrupted by user/;
const LOCAL_OUTPUT = /^<local-command-std(?:out|err)>([\s\S]*)<\/local-command-std(?:out|err)>$/;
const COMMAND = /^<command-(?:name|message)>/;

/**
 * Handles messages in the user's name: prompts, replayed prompts, tool results, and texts of the
 * agent itself.
 */
export function onUser(draft: Draft, line: Message<"user">, from: "agent" | "host"): void {
  const { content } = line.message;
  answerTo(draft, toLane(line.parent_tool_use_id));
  if (typeof content !== "string" && content.some((part) => part.type === "tool_result")) {
    if (isRepeated(draft, line.uuid, content)) return;
    commit(draft, line);
    return onToolResults(draft, toLane(line.parent_tool_use_id), line, content);
  }
  if (from === "host") return onPrompt(draft, line);
  onTextMessage(draft, line);
}

/** The model's next message answers this one, unless this one comes while the model is writing. */
function answerTo(draft: Draft, lane: Lane): void {
  const blocks = findOpenMessage(draft.state, lane)?.blocks ?? [];
  if (blocks.length > 0 && blocks.every((block) => block.settled)) endMessage(draft, lane);
}

/** A user's message is safe to resume from at once, and so is the message before it. */
function commit({ state }: Draft, line: Message<"user">): void {
  if (line.uuid === undefined || toLane(line.parent_tool_use_id) !== MAIN) return;
  if (state.sentUuid === line.uuid) state.sentUuid = null;
  state.lastUuid = line.uuid;
  state.pendingUuid = null;
}

function onPrompt(draft: Draft, line: Message<"user">): void {
  const { state } = draft;
  const { content } = line.message;
  const uuid = line.uuid ?? `made-${++state.made}`;
  const known = isRecent(state, line.uuid);
  if (wasEmitted(draft, line.uuid, readText(content))) {
    if (!onPromptResent(draft, uuid)) draft.emit({ type: "user-replayed", uuid });
    return;
  }
  // If the uuid was used before, the agent prints the prompt back and does not run it (2.1.325).
  if (!known) {
    // A command may leave no message behind under this id.
    if (line.uuid !== undefined && !isCommand(content)) state.sentUuid = line.uuid;
    onPromptSent(draft, line, uuid);
  }
  const lane = toLane(line.parent_tool_use_id);
  draft.emit({ type: "user-said", uuid, lane, ...separateContext(content), origin: "person" });
}

function onTextMessage(draft: Draft, line: Message<"user">): void {
  const { state } = draft;
  const { content } = line.message;
  const promptText = readText(content);
  const lane = toLane(line.parent_tool_use_id);
  const command = COMMAND.test(promptText);
  const prompt = findEchoedPrompt(draft, line, command);
  if (prompt) {
    remember(draft, line.uuid, promptText);
    state.echoes = true;
    if (!prompt.command) commit(draft, line);
    onPromptArrived(draft, prompt);
    if (state.inTurn) state.promptWaits = state.waiting.length > 0;
    return;
  }
  const uuid = line.uuid ?? `made-${++state.made}`;
  // A command that has arrived may be printed back later, but never exactly as it was sent.
  if (command && isRecent(state, line.uuid)) remember(draft, line.uuid, promptText);
  if (wasEmitted(draft, line.uuid, promptText)) return draft.emit({ type: "user-replayed", uuid });
  const output = LOCAL_OUTPUT.exec(promptText);
  if (output) {
    state.spoke = true;
    return draft.emit({ type: "command-printed", text: (output[1] ?? "").trimEnd() });
  }
  if (promptText.startsWith("<task-notification>")) return onTaskText(draft, promptText, line);
  if (INTERRUPTED.test(promptText)) {
    state.interrupted = true;
    return draft.emit({ type: "control-passed", from: "agent", what: "interrupted" });
  }
  if (lane === MAIN && state.compacted && (line.isSynthetic === true || isSummary(promptText))) {
    state.compacted = false;
    return draft.emit({
      type: "context-compacted-summary",
      uuid,
      text: extractSummary(promptText),
    });
  }
  // What the program tells the model in the user's name is not for a person.
  if (line.isSynthetic === true)
    return draft.emit({ type: "notice", level: "aside", text: promptText });
  commit(draft, line);
  // A prompt that was written elsewhere, for example in a terminal, causes the turn that follows.
  if (line.isReplay === true && lane === MAIN && !state.inTurn) state.promptWaits = true;
  const origin = line.isReplay === true ? "person" : "agent";
  const promptParts = line.isReplay === true ? separateContext(content) : { content };
  draft.emit({ type: "user-said", uuid, lane, ...promptParts, origin });
  if (line.isReplay === true) draft.emit({ type: "user-replayed", uuid });
}

function onToolResults(
  draft: Draft,
  lane: Lane,
  line: Message<"user">,
  parts: readonly ContentPart[],
): void {
  let results = 0;
  for (const part of parts) if (part.type === "tool_result") results++;
  const structured = results === 1 ? line.tool_use_result : undefined;
  const meta = list(line["tool_result_meta"]);
  for (const part of parts) {
    if (part.type === "tool_result") {
      const about = meta.find((about) => object(about)["id"] === part["tool_use_id"]);
      onResultBlock(draft, lane, part, structured, about);
    } else {
      const content = text(part["text"]) ?? JSON.stringify(part);
      draft.emit({ type: "notice", level: "aside", text: content });
    }
  }
}
