import { toShortText, getLength, type DisplayItemOfKind } from "../../text/body.ts";
import { Prose, PlainProse } from "../parts/prose.tsx";
import { strings } from "../../strings/strings.ts";
import {
  formatDateTime,
  formatDollars,
  formatNumber,
  formatWorkDuration,
} from "../../text/format.ts";
import { useItemServices } from "../parts/items-context.tsx";
import { lookup } from "../../text/lookup.ts";

const text = strings.conversation;

const tones = {
  success: "text-dim",
  error: "text-failed",
  interrupted: "text-waiting",
  crashed: "text-failed",
} as const;

const useNothing = () => undefined;

/** The end of a turn: its result, duration and cost. */
export function TurnEndView({ item }: { item: DisplayItemOfKind<"turn-end"> }) {
  const { status, error, text: result, costUsd } = item;
  const { TurnActions, useTurnDuration = useNothing } = useItemServices();
  const durationMs = useTurnDuration(item.id) ?? item.durationMs;
  const facts = [
    ...(durationMs === undefined ? [] : [formatWorkDuration(durationMs)]),
    ...(costUsd === undefined || costUsd === 0 ? [] : [formatDollars(costUsd)]),
  ];
  return (
    <div className="turn-end">
      {result !== undefined && getLength(result) > 0 && (
        <div className="mb-2 max-w-reading">
          <Prose body={result} />
        </div>
      )}
      {error !== undefined && (
        <div className="trouble mb-2 max-w-reading">
          <PlainProse body={error} />
        </div>
      )}
      <div className="turn-line" data-tip={formatOptionalTime(item.at)}>
        {TurnActions && <TurnActions item={item} />}
        {status !== "success" && (
          <span className={`font-medium ${lookup(tones, status) ?? ""}`}>
            {lookup(text.turn, status) ?? toShortText(status, 40)}
          </span>
        )}
        {error === undefined && item.signal !== undefined && (
          <span>{text.killedBy(toShortText(item.signal, 20))}</span>
        )}
        {error === undefined && item.exitCode !== undefined && (
          <span>{text.exitCode(item.exitCode)}</span>
        )}
        {facts.length > 0 && <span data-tip={describeTokens(item)}>{facts.join(" · ")}</span>}
      </div>
    </div>
  );
}

function describeTokens({
  inputTokens = 0,
  outputTokens = 0,
  cacheTokens = 0,
}: DisplayItemOfKind<"turn-end">): string {
  const tokens = text.tokenDetails(formatNumber(inputTokens), formatNumber(outputTokens));
  return cacheTokens === 0 ? tokens : `${tokens}, ${text.cachedTokens(formatNumber(cacheTokens))}`;
}

function formatOptionalTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : formatDateTime(at);
}
