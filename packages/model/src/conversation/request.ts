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
  /** Who asks: Claude Code puts the session's id in here. */
  userId: string;
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
    userId: typeof metadata.user_id === "string" ? metadata.user_id : "",
    aside: isAside(model, tools, messages),
  };
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
