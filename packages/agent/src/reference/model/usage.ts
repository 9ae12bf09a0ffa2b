import { CacheUse } from "./cache-use.ts";
import { factsOf } from "./models.ts";

/** What one answer of the model took, as the API counts it. */
export interface Tokens {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  thinking_tokens?: number;
  web_search_requests?: number;
}
const nothing = (): Tokens => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  thinking_tokens: 0,
  web_search_requests: 0,
});

/** What the window holds after an answer. */
export function windowOf(tokens: Tokens = nothing()): number {
  return (
    tokens.input_tokens +
    tokens.cache_read_input_tokens +
    tokens.cache_creation_input_tokens +
    tokens.output_tokens
  );
}

export interface ModelUse {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  webSearchRequests: number;
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
  thinkingTokens: number;
  cacheCreationEphemeral5mInputTokens: number;
  cacheCreationEphemeral1hInputTokens: number;
  /** This and the rest only of models that this process asked. */
  canonicalModel?: string;
  provider?: "firstParty";
  costBasis?: "list" | "unknown";
}

const SEARCH_USD = 0.01;

export function costOf(model: string, tokens: Tokens): number {
  const { prices, longPrompts } = factsOf(model);
  const prompt =
    tokens.input_tokens + tokens.cache_read_input_tokens + tokens.cache_creation_input_tokens;
  const at = longPrompts && prompt > longPrompts.above ? longPrompts.prices : prices;
  const forTokens =
    tokens.input_tokens * at.input +
    tokens.output_tokens * at.output +
    tokens.cache_read_input_tokens * at.cacheRead +
    tokens.cache_creation_input_tokens * at.cacheWrite;
  return forTokens / 1_000_000 + (tokens.web_search_requests ?? 0) * SEARCH_USD;
}

/** Adds up answers: a whole session's, or those since the last result. */
export class Ledger {
  readonly models = new Map<string, ModelUse>();
  readonly cache = new CacheUse();
  began = Date.now();
  costUsd = 0;
  /** What of it was spent before this process went on with the session. */
  costBefore = 0;
  apiMs = 0;
  linesAdded = 0;
  linesRemoved = 0;

  add(model: string, tokens: Tokens, apiMs: number): void {
    const cost = costOf(model, tokens);
    const use = { ...(this.models.get(model) ?? unused(model)), ...namesOf(model) };
    use.inputTokens += tokens.input_tokens;
    use.outputTokens += tokens.output_tokens;
    use.cacheReadInputTokens += tokens.cache_read_input_tokens;
    use.cacheCreationInputTokens += tokens.cache_creation_input_tokens;
    use.cacheCreationEphemeral5mInputTokens += tokens.cache_creation_input_tokens;
    use.thinkingTokens += tokens.thinking_tokens ?? 0;
    use.webSearchRequests += tokens.web_search_requests ?? 0;
    use.costUSD += cost;
    this.models.set(model, use);
    this.costUsd += cost;
    this.apiMs += apiMs;
  }

  /** Lines of files that were written. */
  addChanges(patch: readonly { readonly lines: readonly string[] }[]): void {
    const lines = patch.flatMap((hunk) => hunk.lines);
    this.linesAdded += lines.filter((line) => line.startsWith("+")).length;
    this.linesRemoved += lines.filter((line) => line.startsWith("-")).length;
  }

  /** As it stands now, to tell later what is new. */
  copy(): Ledger {
    const copy = new Ledger();
    for (const [model, use] of this.models) copy.models.set(model, { ...use });
    return copy;
  }

  /** What was used since a copy was made. */
  since(before: Ledger): Record<string, ModelUse> {
    const uses = [...this.models].flatMap(([model, use]): [string, ModelUse][] => {
      const old = before.models.get(model) ?? unused(model);
      const counts = counted.map((key) => [key, use[key] - old[key]] as const);
      if (counts.every(([, count]) => count === 0)) return [];
      return [[model, { ...use, ...Object.fromEntries(counts) }]];
    });
    return Object.fromEntries(uses);
  }

  byModel(): Record<string, ModelUse> {
    return Object.fromEntries([...this.models].map(([model, use]) => [model, { ...use }]));
  }
}

export const counted = [
  "inputTokens",
  "outputTokens",
  "cacheReadInputTokens",
  "cacheCreationInputTokens",
  "webSearchRequests",
  "costUSD",
  "thinkingTokens",
  "cacheCreationEphemeral5mInputTokens",
] as const;

export function unused(model: string): ModelUse {
  const { contextWindow, maxOutputTokens } = factsOf(model);
  return {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    webSearchRequests: 0,
    costUSD: 0,
    contextWindow,
    maxOutputTokens,
    thinkingTokens: 0,
    cacheCreationEphemeral5mInputTokens: 0,
    cacheCreationEphemeral1hInputTokens: 0,
  };
}

function namesOf(model: string): Partial<ModelUse> {
  const { id, isUnlisted } = factsOf(model);
  return {
    canonicalModel: id,
    provider: "firstParty",
    costBasis: isUnlisted ? "unknown" : "list",
  };
}

/** The `usage` of a turn's result: the sum over its answers. */
export class TurnUsage {
  readonly tokens: Tokens = nothing();

  add(tokens: Tokens): void {
    for (const key of Object.keys(this.tokens) as (keyof Tokens)[]) {
      this.tokens[key] = (this.tokens[key] ?? 0) + (tokens[key] ?? 0);
    }
  }

  report(): object {
    const { thinking_tokens, web_search_requests, ...counts } = this.tokens;
    return {
      ...counts,
      output_tokens_details: { thinking_tokens },
      server_tool_use: { web_search_requests, web_fetch_requests: 0 },
      service_tier: "standard",
      cache_creation: {
        ephemeral_1h_input_tokens: 0,
        ephemeral_5m_input_tokens: counts.cache_creation_input_tokens,
      },
      inference_geo: "",
      iterations: [],
      speed: "standard",
      fallback_credit: null,
    };
  }
}

/** Reads a message's counts, of which later events may repeat, add or leave out some. */
export function mergeTokens(before: Tokens | undefined, said: unknown): Tokens {
  const tokens = { ...(before ?? nothing()) };
  if (typeof said !== "object" || said === null) return tokens;
  const counts = said as Record<string, unknown>;
  for (const key of [
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
  ] as const) {
    if (typeof counts[key] === "number") tokens[key] = counts[key];
  }
  const server = counts["server_tool_use"] as { web_search_requests?: number } | undefined;
  if (typeof server?.web_search_requests === "number") {
    tokens.web_search_requests = server.web_search_requests;
  }
  return tokens;
}
