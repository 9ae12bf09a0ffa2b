import type { ModelUse } from "./model/usage.ts";
import type { Session } from "./session.ts";

/** Renders the output of `/cost`. */
export function costText({ ledger }: Session, now = Date.now()): string {
  const { linesAdded, linesRemoved, cache } = ledger;
  return [
    row("Total cost:", dollars(ledger.costUsd)),
    row("Total duration (API):", duration(ledger.apiMs)),
    row("Total duration (wall):", duration(now - ledger.began)),
    row("Total code changes:", `${lines(linesAdded)} added, ${lines(linesRemoved)} removed`),
    ...renderByModel([...ledger.models]),
    ...(cache.requests > 0 ? [row("Prompt cache (main):", cache.text(count))] : []),
  ].join("\n");
}

const NAME_WIDTH = 23;
const row = (name: string, value: string): string => name.padEnd(NAME_WIDTH) + value;

function renderByModel(uses: readonly (readonly [string, ModelUse])[]): string[] {
  if (uses.length === 0) return [row("Usage:", "0 input, 0 output, 0 cache read, 0 cache write")];
  return [
    "Usage by model:",
    ...uses.map(([model, use]) => {
      const counts = [
        `${count(use.inputTokens)} input`,
        `${count(use.outputTokens)} output`,
        `${count(use.cacheReadInputTokens)} cache read`,
        `${count(use.cacheCreationInputTokens)} cache write`,
        ...(use.webSearchRequests > 0 ? [`${use.webSearchRequests} web search`] : []),
      ];
      const name = `${model}:`.padStart(NAME_WIDTH - 2);
      return `${name}  ${counts.join(", ")} (${dollars(use.costUSD)})`;
    }),
  ];
}

const dollars = (usd: number): string => `$${usd.toFixed(usd > 0.5 ? 2 : 4)}`;
const lines = (many: number): string => `${many} ${many === 1 ? "line" : "lines"}`;

/** Formats a count: `950`, `5.0k`, `1.5m`. */
function count(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000
    ? `${(tokens / 1000).toFixed(1)}k`
    : `${(tokens / 1_000_000).toFixed(1)}m`;
}

/** Formats a duration: `6s`, `2m 5s`, `1h 0m 7s`. */
function duration(ms: number): string {
  const all = Math.round(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  if (hours > 0) return `${hours}h ${minutes}m ${seconds}s`;
  return minutes > 0 ? `${minutes}m ${seconds}s` : `${seconds}s`;
}
