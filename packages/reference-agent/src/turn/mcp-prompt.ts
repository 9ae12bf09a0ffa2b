import { isObject } from "@signalbox/protocol/wire";
import { CommandFailure } from "../tools/embedded-commands.ts";
import type { ApiBlock } from "../model/conversation.ts";
import type { Session } from "../session.ts";
import { blocksFrom } from "../mcp/blocks.ts";
import { RpcError } from "../mcp/channel.ts";
import { AnswerLate, LATE } from "../mcp/pending.ts";
import { type McpPrompt, promptName, recordsIn } from "../mcp/prompts.ts";

/** Requests the prompt from its server. Each word is one argument, in order. */
export async function getText(
  session: Session,
  prompt: McpPrompt,
  args: string,
  signal: AbortSignal,
): Promise<ApiBlock[]> {
  const words = args.split(/\s+/).filter((word) => word !== "");
  const missing = prompt.inputs.find(({ isRequired }, at) => isRequired && at >= words.length);
  if (missing) {
    const usage = [`/${promptName(prompt)}`, ...prompt.inputs.map(({ name }) => name)].join(" ");
    throw new CommandFailure(`Error: Missing required argument: ${missing.name}. Usage: ${usage}`);
  }
  const given = prompt.inputs.slice(0, words.length).map(({ name }, at) => [name, words[at]]);
  const params = { name: prompt.name, arguments: Object.fromEntries(given) };
  try {
    const answer = await session.mcp.ask(prompt.server, "prompts/get", params, { signal });
    const messages = recordsIn(isObject(answer) ? answer["messages"] : undefined);
    const blocks = messages.flatMap(({ content }) => (isObject(content) ? [content] : []));
    const made = blocks.map((block) => blocksFrom(session, prompt.server, block));
    return (await Promise.all(made)).flat();
  } catch (cause) {
    if (signal.aborted) return []; // The turn ends by itself.
    throw new CommandFailure(getWords(cause));
  }
}

function getWords(cause: unknown): string {
  if (cause instanceof AnswerLate) return LATE;
  return cause instanceof RpcError ? `ProtocolError: ${cause.message}` : String(cause);
}
