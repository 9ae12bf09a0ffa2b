import type { Session } from "../session.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_SHOWN = 30_000;
const MOST_SHOWN = 150_000;

interface BashLimits {
  /** For a command of which nothing is said, or nothing that makes sense. */
  readonly timeoutMs: number;
  readonly maxTimeoutMs: number;
  /** How many characters the model sees; all of a longer output is kept in a file. */
  readonly shown: number;
}

/** What people set for the tool Bash, by variables of Claude Code's names. */
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
    shown: Math.min(set("BASH_MAX_OUTPUT_LENGTH", MAX_SHOWN), MOST_SHOWN),
  };
}

/** How long a command may take of which this was said. */
export function getTimeout(
  said: number | undefined,
  { timeoutMs, maxTimeoutMs }: BashLimits,
): number {
  return said !== undefined && said > 0 ? Math.min(said, maxTimeoutMs) : timeoutMs;
}
