import { isObject } from "@signalbox/protocol/wire";
import { CacheUse } from "./cache-use.ts";
import { getFacts } from "./models.ts";

/** The tokens of one answer, as the API counts them. */
export interface Tokens {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  /**
   * Tokens written to the cache for five minutes and for an hour, if the API distinguishes them.
   */
  written5m: number;
  written1h: number;
  thinking: number;
  webSearches: number;
  webFetches: number;
  served: Served;
}
/** How an answer was served, in the API's words. */
interface Served {
  readonly service_tier: unknown;
  readonly inference_geo: unknown;
  readonly iterations: unknown;
  readonly speed: unknown;
}
const asUsual: Served = {
  service_tier: "standard",
  inference_geo: "",
  iterations: [],
  speed: "standard",
};
const nothing = (): Tokens => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  written5m: 0,
  written1h: 0,
  thinking: 0,
  webSearches: 0,
  webFetches: 0,
  served: asUsual,
});

/** Returns the size of the window after an answer. */
export function getWindow(tokens: Tokens = nothing()): number {
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
  /** Only for models that this process used, like the fields after it. */
  canonicalModel?: string;
  provider?: "firstParty";
  costBasis?: "list" | "unknown";
}

const SEARCH_USD = 0.01;
const HOUR_TIMES_INPUT = 2;
/** Answers that must stay within the United States cost more. */
const AT_HOME_FACTOR = 1.1;

/** Splits the tokens written to the cache by duration, never more than were written in total. */
function splitCacheWrites({ cache_creation_input_tokens: all, written5m, written1h }: Tokens): {
  hour: number;
  minutes: number;
} {
  const hour = Math.min(written1h, all);
  return { hour, minutes: Math.min(written5m, all - hour) };
}

export function getCost(model: string, tokens: Tokens): number {
  const { prices, longPrompts } = getFacts(model);
  const written = tokens.cache_creation_input_tokens;
  const prompt = tokens.input_tokens + tokens.cache_read_input_tokens + written;
  const at = longPrompts && prompt > longPrompts.above ? longPrompts.prices : prices;
  const { hour } = splitCacheWrites(tokens);
  const million = 1_000_000;
  const forTokens =
    (tokens.input_tokens / million) * at.input +
    (tokens.output_tokens / million) * at.output +
    (tokens.cache_read_input_tokens / million) * at.cacheRead +
    (((written - hour) / million) * at.cacheWrite + (hour / million) * at.input * HOUR_TIMES_INPUT);
  const factor = tokens.served.inference_geo === "us" ? AT_HOME_FACTOR : 1;
  return forTokens * factor + tokens.webSearches * SEARCH_USD;
}

/** Sums up answers: of a whole session, or since the last result. */
export class Ledger {
  readonly models = new Map<string, ModelUse>();
  readonly cache = new CacheUse();
  #reportedUse: ReadonlyMap<string, ModelUse> = new Map();
  began = Date.now();
  costUsd = 0;
  /** The cost before this process resumed the session. */
  costBefore = 0;
  apiMs = 0;
  linesAdded = 0;
  linesRemoved = 0;

  add(model: string, tokens: Tokens, apiMs: number): void {
    const cost = getCost(model, tokens);
    const use = { ...(this.models.get(model) ?? createEmptyUse(model)), ...getNames(model) };
    use.inputTokens += tokens.input_tokens;
    use.outputTokens += tokens.output_tokens;
    use.cacheReadInputTokens += tokens.cache_read_input_tokens;
    use.cacheCreationInputTokens += tokens.cache_creation_input_tokens;
    const { hour, minutes } = splitCacheWrites(tokens);
    use.cacheCreationEphemeral5mInputTokens += minutes;
    use.cacheCreationEphemeral1hInputTokens += hour;
    use.thinkingTokens += tokens.thinking;
    use.webSearchRequests += tokens.webSearches;
    use.costUSD += cost;
    this.models.set(model, use);
    this.costUsd += cost;
    this.apiMs += apiMs;
  }

  /** Counts lines of files that were written. */
  addChanges(patch: readonly { readonly lines: readonly string[] }[]): void {
    const lines = patch.flatMap((hunk) => hunk.lines);
    this.linesAdded += lines.filter((line) => line.startsWith("+")).length;
    this.linesRemoved += lines.filter((line) => line.startsWith("-")).length;
  }

  /** Marks everything so far as reported. */
  markTold(): void {
    this.#reportedUse = new Map([...this.models].map(([model, use]) => [model, { ...use }]));
  }

  /**
   * Returns the use since the last result, and not since the beginning of the turn, because
   * subagents in the background also work between turns.
   */
  sinceLastResult(): Record<string, ModelUse> {
    const previousUse = this.#reportedUse;
    this.markTold();
    const uses = [...this.models].flatMap(([model, use]): [string, ModelUse][] => {
      const old = previousUse.get(model) ?? createEmptyUse(model);
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
  "cacheCreationEphemeral1hInputTokens",
] as const;

export function createEmptyUse(model: string): ModelUse {
  const { contextWindow, maxOutputTokens } = getFacts(model);
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

function getNames(model: string): Partial<ModelUse> {
  const { id, isUnlisted } = getFacts(model);
  return {
    canonicalModel: id,
    provider: "firstParty",
    costBasis: isUnlisted ? "unknown" : "list",
  };
}

/** The `usage` of a turn's result: the sum over its answers, and how the last one was served. */
export class TurnUsage {
  #tokens: Tokens = nothing();
  #before: Tokens = nothing();

  add(tokens: Tokens): void {
    this.#before = this.#tokens;
    const sums = summed.map((key) => [key, this.#tokens[key] + tokens[key]]);
    this.#tokens = { ...Object.fromEntries(sums), served: tokens.served } as Tokens;
  }

  /**
   * Removes the last answer. Claude Code does not count an answer that ends the turn because of its
   * cost or its shape.
   */
  withoutLast(): void {
    this.#tokens = this.#before;
  }

  report(): object {
    const { written5m, written1h, thinking, webSearches, webFetches, served, ...counts } =
      this.#tokens;
    return {
      ...counts,
      output_tokens_details: { thinking_tokens: thinking },
      server_tool_use: { web_search_requests: webSearches, web_fetch_requests: webFetches },
      service_tier: served.service_tier,
      cache_creation: {
        ephemeral_1h_input_tokens: written1h,
        ephemeral_5m_input_tokens: written5m,
      },
      inference_geo: served.inference_geo,
      iterations: served.iterations,
      speed: served.speed,
      fallback_credit: null,
    };
  }
}

const plain = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;
const summed = [
  ...plain,
  "written5m",
  "written1h",
  "thinking",
  "webSearches",
  "webFetches",
] as const;

/** Merges the token counts of a message, which later events may repeat, extend or omit. */
export function mergeTokens(before: Tokens | undefined, usageFields: unknown): Tokens {
  const tokens = { ...(before ?? nothing()) };
  if (!isObject(usageFields)) return tokens;
  for (const key of plain) {
    if (typeof usageFields[key] === "number") tokens[key] = usageFields[key];
  }
  const count = (group: string, name: string, old: number): number => {
    const counts = usageFields[group];
    const value = isObject(counts) ? counts[name] : undefined;
    return typeof value === "number" ? value : old;
  };
  tokens.written5m = count("cache_creation", "ephemeral_5m_input_tokens", tokens.written5m);
  tokens.written1h = count("cache_creation", "ephemeral_1h_input_tokens", tokens.written1h);
  tokens.thinking = count("output_tokens_details", "thinking_tokens", tokens.thinking);
  tokens.webSearches = count("server_tool_use", "web_search_requests", tokens.webSearches);
  tokens.webFetches = count("server_tool_use", "web_fetch_requests", tokens.webFetches);
  const served = Object.keys(asUsual).map((key) => [
    key,
    usageFields[key] ?? tokens.served[key as keyof Served],
  ]);
  tokens.served = Object.fromEntries(served);
  return tokens;
}
