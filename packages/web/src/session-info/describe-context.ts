import type { Session } from "@signalbox/client";
import { formatTokens } from "../text/format.ts";

/** Describes the use of the model's context window. Its size is known only after the first turn. */
export function describeContext(
  summary: Pick<Session["summary"], "context" | "turns">,
): { readonly short: string; readonly share: string; readonly long: string } | undefined {
  const { context, turns } = summary;
  if (!context) return undefined;
  const { used, window, efficiency } = context;
  if (turns === 0) {
    const short = formatTokens(used);
    return { short, share: `${short} ctx`, long: `context in use: ${used} tokens` };
  }
  return {
    short: `${formatTokens(used)} / ${formatTokens(window)}`,
    share: `${Math.round(efficiency)}% ctx`,
    long: `context in use: ${used} of ${window} tokens`,
  };
}
