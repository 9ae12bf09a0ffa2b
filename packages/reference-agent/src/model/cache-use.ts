import type { Tokens } from "./usage.ts";

/** How long the API caches a prompt. */
const LASTS_MS = 5 * 60_000;
/** How much less may be read from the cache before it counts as a miss. */
const SLACK_TOKENS = 2000;

/** Measures how well the prompt cache works for the main conversation. */
export class CacheUse {
  requests = 0;
  misses = 0;
  /** When the last request that used the cache was answered. */
  lastAt: number | undefined;
  #missedAt = 0;
  #rewrittenTokens = 0;
  #read = 0;
  #input = 0;
  #cachedTokens = 0;

  add(tokens: Tokens, now = Date.now()): void {
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = tokens;
    this.requests += 1;
    this.#read += read;
    this.#input += tokens.input_tokens + read + written;
    if (read + SLACK_TOKENS < this.#cachedTokens) {
      this.misses += 1;
      this.#missedAt = now;
      this.#rewrittenTokens += written;
    }
    this.#cachedTokens = read + written;
    if (this.#cachedTokens > 0) this.lastAt = now;
  }

  /** Renders the statistics in a line for `/cost`. */
  text(count: (tokens: number) => string, now = Date.now()): string {
    const share = this.#input === 0 ? 0 : Math.round((this.#read / this.#input) * 100);
    return [
      `${this.requests} ${this.requests === 1 ? "request" : "requests"}`,
      `${share}% of input tokens from cache`,
      this.#renderMisses(count, now),
      this.#state(now),
    ].join(" · ");
  }

  #renderMisses(count: (tokens: number) => string, now: number): string {
    if (this.misses === 0) return "no misses";
    const last = `last ${seconds(now - this.#missedAt)} ago, ${count(this.#rewrittenTokens)} tokens re-cached`;
    return `${this.misses} ${this.misses === 1 ? "miss" : "misses"} (${last})`;
  }

  #state(now: number): string {
    if (this.lastAt === undefined) return "no prompt caching reported by the API";
    const idle = now - this.lastAt;
    if (idle < LASTS_MS) return `warm (5m TTL, last activity ${seconds(idle)} ago)`;
    return `cold — idle ${seconds(idle)}`;
  }
}

const seconds = (ms: number): string => `${Math.floor(ms / 1000)}s`;
