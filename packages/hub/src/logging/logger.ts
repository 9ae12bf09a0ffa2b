import { escapeInJson } from "@signalbox/protocol/text";
import { redactSecrets } from "./redact.ts";
import { LogRateLimiter } from "./log-rate-limiter.ts";

/** Logs what happens to the hub's process, one line per event, for people and programs to read. */
export interface Logger {
  info(what: string, facts?: Record<string, unknown>): void;
  error(what: string, facts?: Record<string, unknown>): void;
  /** Hides this value from now on, wherever it occurs. */
  hide(secret: string): void;
}

const MAX_LINE = 16 * 1024;

export function createLogger(
  write: (line: string) => void,
  now: () => number = Date.now,
  limit: LogRateLimiter = new LogRateLimiter(),
): Logger {
  const hidden = new Set<string>();
  const line = (level: string, what: string, facts: Record<string, unknown> = {}) => {
    const leftOut = limit.admit(what);
    if (leftOut === undefined) return;
    const at = new Date(now()).toISOString();
    const more = leftOut > 0 ? { leftOut } : {};
    write(`${redact(JSON.stringify({ at, level, what, ...facts, ...more }), hidden)}\n`);
  };
  return {
    info: (what, facts) => line("info", what, facts),
    error: (what, facts) => line("error", what, facts),
    // Short values are not hidden, because they also occur inside ordinary words.
    hide: (secret) => void (secret.length >= 8 && hidden.add(JSON.stringify(secret).slice(1, -1))),
  };
}

function redact(json: string, hidden: ReadonlySet<string>): string {
  let text = json;
  for (const secret of hidden) text = text.replaceAll(secret, "[hidden]");
  text = escapeInJson(redactSecrets(text));
  if (text.length <= MAX_LINE) return text;
  return JSON.stringify({
    level: "error",
    what: "log-line-cut",
    begins: text.slice(0, MAX_LINE / 2),
  });
}
