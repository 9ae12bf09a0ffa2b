import type { ApiBlock, ApiMessage } from "./conversation.ts";
import { getFacts } from "./models.ts";

export interface ApiTool {
  name: string;
  description?: string;
  input_schema?: object;
  cache_control?: CacheMark;
  [field: string]: unknown;
}
type CacheMark = { type: "ephemeral" };
const mark: CacheMark = { type: "ephemeral" };

/** A request to the Messages API, without `stream`. */
export interface ModelRequest {
  model: string;
  max_tokens: number;
  system?: { type: "text"; text: string; cache_control?: CacheMark }[];
  messages: ApiMessage[];
  tools?: ApiTool[];
  metadata?: { user_id: string };
  thinking?: object;
  output_config?: { effort: string };
}

/**
 * Marks the parts that stay the same between requests, so that they are paid for once: the system
 * prompt (with the tools before it), and the conversation up to its end and up to the previous
 * turn.
 */
export function withCacheMarks(request: ModelRequest): ModelRequest {
  const system = request.system?.map((part, index, parts) =>
    index === parts.length - 1 ? { ...part, cache_control: mark } : part,
  );
  const users = request.messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  const marked = new Set(users.slice(-2));
  const messages = request.messages.map((message, index) =>
    marked.has(index) ? { ...message, content: markLast(message.content) } : message,
  );
  return { ...request, messages, ...(system ? { system } : {}) };
}

function markLast(content: string | readonly ApiBlock[]): ApiBlock[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.map((block, index) =>
    index === blocks.length - 1 && block.type !== "thinking"
      ? { ...block, cache_control: mark }
      : block,
  );
}

const LEAST_BUDGET = 1024;

/** Older models that are known to think with a budget. */
const thinksByBudget = /claude-(opus|sonnet|haiku)-4/;

/**
 * Returns the thinking options: adaptive if the model supports it, whatever budget is set;
 * otherwise the budget, or as much as fits. 0 turns thinking off in models that allow it.
 */
export function thinkingFor(
  model: string,
  maxThinkingTokens: number | undefined,
  maxOutputTokens = getFacts(model).maxOutputTokens,
): { thinking?: object } {
  const { adapts, alwaysThinks } = getFacts(model);
  const thinks = adapts || thinksByBudget.test(model);
  if (maxThinkingTokens !== undefined && maxThinkingTokens <= 0 && !alwaysThinks) {
    return thinks ? { thinking: { type: "disabled" } } : {};
  }
  if (adapts) return { thinking: { type: "adaptive" } };
  if (!thinks && maxThinkingTokens === undefined) return {};
  const most = maxOutputTokens - 1;
  const budget_tokens = Math.min(Math.max(maxThinkingTokens ?? most, LEAST_BUDGET), most);
  return { thinking: { type: "enabled", budget_tokens } };
}
