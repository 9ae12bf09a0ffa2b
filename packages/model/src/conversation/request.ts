import { isAside } from "./aside.ts";

/** The part of a Messages API request that decides the answer. The rest is ignored. */
export type Block = { type: string; text?: unknown; content?: unknown };
export type Turn = { role: string; content: string | Block[] };
export type MessagesRequest = {
  model: string;
  stream: boolean;
  messages: Turn[];
  /** The names of the tools on offer. */
  tools: string[];
  /** Who asks: the session's id in what Claude Code sends as the user's, or all of it from other programs. */
  asker: string;
  /** The program asks for itself, beside the conversation. */
  aside: boolean;
};

/** Reads a request body; says why when it is not one. */
export function readRequest(body: unknown): MessagesRequest | { why: string } {
  if (!isObject(body)) return { why: "the body must be a JSON object" };
  const { model, messages } = body;
  if (typeof model !== "string") return { why: "model: Field required" };
  if (!Array.isArray(messages)) return { why: "messages: Field required" };
  if (!messages.every(isTurn)) return { why: "messages: each needs a role and content" };
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject) : [];
  const metadata = isObject(body.metadata) ? body.metadata : {};
  return {
    model,
    stream: body.stream === true,
    messages,
    tools: tools.map(({ name }) => name).filter((name) => typeof name === "string"),
    asker: typeof metadata.user_id === "string" ? findAsker(metadata.user_id) : "",
    aside: isAside(model, tools, messages),
  };
}

/**
 * 2.1.7 sends `user_…_session_ID`, 2.1.325 an object as text. The rest of both names the device, and that
 * changes from run to run when several programs start at once in a new home: each writes its own there.
 */
function findAsker(userId: string): string {
  const [, session] = /(?:_session_|"session_id":")([\da-f-]{36})/.exec(userId) ?? [];
  return session ?? userId;
}

function isTurn(value: unknown): value is Turn {
  if (!isObject(value) || typeof value.role !== "string") return false;
  const { content } = value;
  return typeof content === "string" || (Array.isArray(content) && content.every(isBlock));
}

function isBlock(value: unknown): value is Block {
  return isObject(value) && typeof value.type === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
