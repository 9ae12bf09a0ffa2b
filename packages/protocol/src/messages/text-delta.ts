import type { JsonObject } from "../json.ts";

const HEAD = '{"type":"stream_event","event":{"type":"content_block_delta","index":';
const TEXT = ',"delta":{"type":"text_delta","text":"';
const THINKING = ',"delta":{"type":"thinking_delta","thinking":"';
const SESSION = '"}},"session_id":"';
const UUID = '","parent_tool_use_id":null,"uuid":"';
const MESSAGE = '","api_message_id":"';
/** Characters that a JSON string may contain only escaped, or not at all. */
// oxlint-disable-next-line no-control-regex
const needsParser = /[\\\u0000-\u001f]/;

/**
 * Matches a text delta of the main agent. Nearly every line of a session is one, its keys always
 * come in this order, and matching its five values costs a fifth of `JSON.parse`. Any other
 * spelling is left to the parser. A test makes sure that both agree.
 */
export function parseTextDelta(raw: string): JsonObject | undefined {
  if (!raw.startsWith(HEAD) || needsParser.test(raw)) return undefined;
  const index = raw.charCodeAt(HEAD.length) - 48;
  if (!(index >= 0 && index <= 9)) return undefined;
  const at = HEAD.length + 1;
  const isThinking = raw.startsWith(THINKING, at);
  if (!isThinking && !raw.startsWith(TEXT, at)) return undefined;
  const textStart = at + (isThinking ? THINKING : TEXT).length;
  const textEnd = raw.indexOf('"', textStart);
  if (!raw.startsWith(SESSION, textEnd)) return undefined;
  const session = textEnd + SESSION.length;
  const sessionEnd = raw.indexOf('"', session);
  if (!raw.startsWith(UUID, sessionEnd)) return undefined;
  const uuid = sessionEnd + UUID.length;
  const uuidEnd = raw.indexOf('"', uuid);
  const text = raw.slice(textStart, textEnd);
  const message: JsonObject = {
    type: "stream_event",
    event: {
      type: "content_block_delta",
      index,
      delta: isThinking ? { type: "thinking_delta", thinking: text } : { type: "text_delta", text },
    },
    session_id: raw.slice(session, sessionEnd),
    parent_tool_use_id: null,
    uuid: raw.slice(uuid, uuidEnd),
  };
  const end = raw.startsWith(MESSAGE, uuidEnd) ? endOfMessage(raw, uuidEnd, message) : uuidEnd;
  return end >= 0 && end === raw.length - 2 && raw.endsWith('"}') ? message : undefined;
}

function endOfMessage(raw: string, at: number, message: JsonObject): number {
  const begin = at + MESSAGE.length;
  const end = raw.indexOf('"', begin);
  message["api_message_id"] = raw.slice(begin, end);
  return end;
}
