import { brief, lengthOf, type ShownItemOf } from "../../text/body.ts";
import { Prose, Words } from "../parts/prose.tsx";
import { count, counted, dollars, duration, moment, tokens } from "../../text/format.ts";
import { lookup } from "../../text/lookup.ts";

const words = {
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

/** The end of a turn: how it ended, what it took. */
export function TurnEndView({ item }: { item: ShownItemOf<"turn-end"> }) {
  const { status, error, text, inputTokens = 0, outputTokens = 0 } = item;
  return (
    <div className="turn-end">
      {text !== undefined && lengthOf(text) > 0 && (
        <div className="mb-2 max-w-reading">
          <Prose body={text} />
        </div>
      )}
      {error !== undefined && (
        <div className="trouble mb-2 max-w-reading">
          <Words body={error} />
        </div>
      )}
      <div className="turn-line">
        <span className={`font-semibold ${lookup(tones, status) ?? ""}`} title={when(item.at)}>
          {lookup(words, status) ?? brief(status, 40)}
        </span>
        {item.signal !== undefined && <span>killed by {brief(item.signal, 20)}</span>}
        {item.exitCode !== undefined && <span>exit code {item.exitCode}</span>}
        {item.durationMs !== undefined && <span>{duration(item.durationMs)}</span>}
        {item.costUsd !== undefined && (
          <span title={`$${item.costUsd}`}>{dollars(item.costUsd)}</span>
        )}
        {inputTokens + outputTokens > 0 && (
          <span title={exactly(item)}>
            {tokens(inputTokens)} in · {tokens(outputTokens)} out
          </span>
        )}
        {item.modelTurns !== undefined && item.modelTurns > 1 && (
          <span>{counted(item.modelTurns, "step")}</span>
        )}
      </div>
    </div>
  );
}

function exactly({
  inputTokens = 0,
  outputTokens = 0,
  cacheTokens = 0,
}: ShownItemOf<"turn-end">): string {
  const cached = cacheTokens === 0 ? "" : `, ${count(cacheTokens)} of the cache`;
  return `${count(inputTokens)} tokens in, ${count(outputTokens)} out${cached}`;
}

function when(at: number | undefined): string | undefined {
  return at === undefined ? undefined : moment(at);
}
