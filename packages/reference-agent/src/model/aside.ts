import type { Session } from "../session.ts";
import { AnswerReader } from "./answer.ts";
import type { ApiMessage } from "./conversation.ts";
import { getFacts } from "./models.ts";
import type { ApiTool } from "./request.ts";

/** Asks the model something beside the conversation: for a summary, a page, or a search. */
export async function askAside(
  session: Session,
  question: {
    model: string;
    system?: string;
    messages: ApiMessage[];
    tools?: ApiTool[];
    signal: AbortSignal;
  },
): Promise<AnswerReader["answer"]> {
  const began = Date.now();
  const { events } = await session.model.ask(
    {
      model: question.model,
      max_tokens: Math.min(getFacts(question.model).maxOutputTokens, 32_000),
      messages: question.messages,
      ...(question.system === undefined
        ? {}
        : { system: [{ type: "text", text: question.system }] }),
      ...(question.tools ? { tools: question.tools } : {}),
      metadata: { user_id: JSON.stringify({ session_id: session.context.sessionId }) },
    },
    { signal: question.signal },
  );
  const reader = new AnswerReader();
  for await (const event of events) reader.take(event);
  session.ledger.add(question.model, reader.answer.tokens, Date.now() - began);
  return reader.answer;
}

export function getText(blocks: readonly { type: string; [field: string]: unknown }[]): string {
  return blocks
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}
