import { toShortText, getLength, type DisplayItemOf } from "../../text/body.ts";
import { Prose, PlainProse } from "../parts/prose.tsx";
import {
  formatNumber,
  formatCount,
  formatDollars,
  formatDuration,
  formatDateTime,
  formatTokens,
} from "../../text/format.ts";
import { lookup } from "../../text/lookup.ts";

const statusLabels = {
  success: "Done",
  error: "Failed",
  interrupted: "Interrupted",
  crashed: "The agent died",
} as const;

const tones = {
  success: "text-dim",
  error: "text-failed",
  interrupted: "text-waiting",
  crashed: "text-failed",
} as const;

/** The end of a turn: its result, duration and cost. */
export function TurnEndView({ item }: { item: DisplayItemOf<"turn-end"> }) {
  const { status, error, text, inputTokens = 0, outputTokens = 0 } = item;
  return (
    <div className="turn-end">
      {text !== undefined && getLength(text) > 0 && (
        <div className="mb-2 max-w-reading">
          <Prose body={text} />
        </div>
      )}
      {error !== undefined && (
        <div className="trouble mb-2 max-w-reading">
          <PlainProse body={error} />
        </div>
      )}
      <div className="turn-line">
        <span
          className={`font-semibold ${lookup(tones, status) ?? ""}`}
          title={formatOptionalTime(item.at)}
        >
          {lookup(statusLabels, status) ?? toShortText(status, 40)}
        </span>
        {item.signal !== undefined && <span>killed by {toShortText(item.signal, 20)}</span>}
        {item.exitCode !== undefined && <span>exit code {item.exitCode}</span>}
        {item.durationMs !== undefined && <span>{formatDuration(item.durationMs)}</span>}
        {item.costUsd !== undefined && (
          <span title={`$${item.costUsd}`}>{formatDollars(item.costUsd)}</span>
        )}
        {inputTokens + outputTokens > 0 && (
          <span title={describeTokens(item)}>
            {formatTokens(inputTokens)} in · {formatTokens(outputTokens)} out
          </span>
        )}
        {item.modelTurns !== undefined && item.modelTurns > 1 && (
          <span>{formatCount(item.modelTurns, "step")}</span>
        )}
      </div>
    </div>
  );
}

function describeTokens({
  inputTokens = 0,
  outputTokens = 0,
  cacheTokens = 0,
}: DisplayItemOf<"turn-end">): string {
  const cached = cacheTokens === 0 ? "" : `, ${formatNumber(cacheTokens)} of the cache`;
  return `${formatNumber(inputTokens)} tokens in, ${formatNumber(outputTokens)} out${cached}`;
}

function formatOptionalTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : formatDateTime(at);
}
