/** A part of the context and its share of the model's window. */
interface ContextPart {
  readonly name: string;
  readonly tokens: number;
  readonly share: number;
  readonly free: boolean;
}
interface ContextUsage {
  readonly total: number;
  readonly window: number;
  readonly parts: readonly ContextPart[];
}

/** Parses the answer to `get_context_usage` (2.1.325). Missing parts are omitted. */
export function parseContextUsage(answer: unknown): ContextUsage {
  const it = (answer ?? {}) as Record<string, unknown>;
  const window = number(it["rawMaxTokens"]) || number(it["maxTokens"]);
  const categories = Array.isArray(it["categories"]) ? (it["categories"] as unknown[]) : [];
  const parts = categories.flatMap((category) => {
    const { name, tokens, kind } = (category ?? {}) as Record<string, unknown>;
    if (typeof name !== "string" || number(tokens) === 0) return [];
    const share = window > 0 ? number(tokens) / window : 0;
    return [
      { name, tokens: number(tokens), share, free: kind === "free" || name === "Free space" },
    ];
  });
  return { total: number(it["totalTokens"]), window, parts };
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
