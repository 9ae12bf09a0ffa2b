import { parseObject } from "@signalbox/protocol";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { READABLE } from "@signalbox/host/asks";
import type { LineRow, Store } from "../store/store.ts";

const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/** What one line of the log means for the course of the conversation. */
export interface LogStep {
  readonly pos: number;
  readonly from: LineRow["from"];
  readonly type: unknown;
  readonly uuid: string | undefined;
  readonly isMessage: boolean;
  /** Whether the message belongs to the main agent's conversation rather than to a subagent's. */
  readonly isMain: boolean;
  /** The message that a retry went back to; null: the beginning. Everything after that message is cut off. */
  readonly rewoundTo: string | null | undefined;
  /** The agent's own id of the conversation. */
  readonly conversation: string | undefined;
  readonly at: number;
  /** The text of a message in the person's name. */
  readonly prompt: string | undefined;
}

/** Reads all of a session's log, in order. */
export async function* readLogSteps(
  store: Store,
  session: string,
): AsyncGenerator<LogStep, void, undefined> {
  for (let after = 0; ;) {
    const rows = await store.linesAfter(session, after, PAGE, PAGE_BYTES);
    if (rows.length === 0) return;
    for (const row of rows) yield parseLogStep(row);
    after = rows.at(-1)?.pos ?? after;
  }
}

function parseLogStep({ pos, from, text, at }: LineRow): LogStep {
  const read = text.length > READABLE ? "" : parseObject(text);
  const body = typeof read === "string" ? {} : read;
  const { type, uuid, session_id: conversation } = body;
  return {
    pos,
    from,
    type,
    uuid: typeof uuid === "string" ? uuid : undefined,
    isMessage: type === "user" || type === "assistant",
    isMain: typeof body["parent_tool_use_id"] !== "string",
    rewoundTo: from === "keeper" ? (body["rewoundTo"] as string | null | undefined) : undefined,
    conversation: typeof conversation === "string" ? conversation : undefined,
    at,
    prompt: type === "user" ? readPrompt(body) : undefined,
  };
}

/** Undefined: the message is a result, or has no text. */
function readPrompt({ message }: JsonObject): string | undefined {
  const content = isObject(message) ? message["content"] : undefined;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part) => (isObject(part) ? part["text"] : []));
  const text = texts.filter((each) => typeof each === "string").join(" ");
  return text === "" ? undefined : text;
}
