import type { Session } from "../session.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_SHOWN = 30_000;
const MAX_OUTPUT_SHOWN = 150_000;

interface BashLimits {
  /** The timeout for a command without a valid one of its own. */
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  /** How many characters the model sees. A longer output is stored in a file. */
  readonly shown: number;
}

/** Reads the limits for Bash from the environment, under Claude Code's names. */
export function bashLimits({ context, settings }: Session): BashLimits {
  const environment: Record<string, string | undefined> = {
    ...context.environment,
    ...settings.environment,
  };
  const set = (name: string, otherwise: number) => {
    const value = Number.parseInt(environment[name] ?? "", 10);
    return value > 0 ? value : otherwise;
  };
  const timeoutMs = set("BASH_DEFAULT_TIMEOUT_MS", DEFAULT_TIMEOUT_MS);
  return {
    timeoutMs,
    maxTimeoutMs: Math.max(set("BASH_MAX_TIMEOUT_MS", MAX_TIMEOUT_MS), timeoutMs),
    shown: Math.min(set("BASH_MAX_OUTPUT_LENGTH", MAX_SHOWN), MAX_OUTPUT_SHOWN),
  };
}

/** Returns the timeout of a command. */
export function getTimeout(
  requestedMs: number | undefined,
  { timeoutMs, maxTimeoutMs }: BashLimits,
): number {
  return requestedMs !== undefined && requestedMs > 0
    ? Math.min(requestedMs, maxTimeoutMs)
    : timeoutMs;
}
