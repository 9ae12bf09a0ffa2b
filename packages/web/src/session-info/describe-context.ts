import type { Session } from "@signalbox/client";
import { strings } from "../strings/strings.ts";
import { formatNumber, formatTokens } from "../text/format.ts";

const text = strings.session;

export interface ShownContext {
  readonly short: string;
  /** Rounded; undefined until the size of the window is known, which is after the first turn. */
  readonly percent: number | undefined;
  readonly long: string;
}

/**
 * The use of the model's context window. `knownWindow` is the window of the same model in another session, which
 * counts until this session's first turn has ended.
 */
export function describeContext(
  summary: Pick<Session["summary"], "context" | "turns">,
  knownWindow?: number,
): ShownContext | undefined {
  const { context, turns } = summary;
  if (!context) return undefined;
  const { used } = context;
  const short = formatTokens(used);
  const window = turns === 0 ? knownWindow : context.window;
  if (window === undefined || window <= 0) {
    return { short, percent: undefined, long: text.contextUsedOnly(formatNumber(used)) };
  }
  return {
    short: `${short} / ${formatTokens(window)}`,
    percent: Math.round(Math.min(100, (used / window) * 100)),
    long: text.contextUsed(formatNumber(used), formatNumber(window)),
  };
}

/** The context window of a model, as the newest session that has ended a turn with it reported it. */
export function findKnownWindow(
  sessions: readonly Pick<Session, "summary" | "changedAt">[],
  model: string | undefined,
): number | undefined {
  if (model === undefined) return undefined;
  let newest: Pick<Session, "summary" | "changedAt"> | undefined;
  for (const session of sessions) {
    const { summary, changedAt } = session;
    if (summary.model !== model || summary.turns === 0 || !summary.context) continue;
    if (newest === undefined || changedAt > newest.changedAt) newest = session;
  }
  return newest?.summary.context?.window;
}
