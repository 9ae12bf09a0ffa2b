import type { Session } from "@signalbox/client";
import { strings } from "../strings/strings.ts";
import { formatNumber, formatTokens } from "../text/format.ts";

const text = strings.session;

export interface ContextUse {
  readonly short: string;
  /** Rounded; undefined until the size of the window is known, which is after the first turn. */
  readonly percent: number | undefined;
  readonly long: string;
}

/** The use of the model's context window. */
export function describeContext(
  summary: Pick<Session["summary"], "context" | "turns">,
): ContextUse | undefined {
  const { context, turns } = summary;
  if (!context) return undefined;
  const { used, window, efficiency } = context;
  const short = formatTokens(used);
  if (turns === 0) {
    return { short, percent: undefined, long: text.contextUsedOnly(formatNumber(used)) };
  }
  return {
    short: `${short} / ${formatTokens(window)}`,
    percent: Math.round(efficiency),
    long: text.contextUsed(formatNumber(used), formatNumber(window)),
  };
}
