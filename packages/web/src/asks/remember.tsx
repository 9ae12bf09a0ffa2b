import type { AskView } from "@signalbox/api";
import { spelled } from "../text/visible.ts";
import { disablesAsking, describeSuggestion } from "./suggestion.ts";
import { strings } from "../strings/strings.ts";
import { useSettled } from "../guard/use-settled.ts";

interface Props {
  readonly ask: AskView;
  readonly chosen: readonly number[];
  readonly onChange: (chosen: readonly number[]) => void;
}

/**
 * The agent's suggestions for permanent rules, each in full and with its scope. Like Allow, they ignore
 * clicks until they have settled (C16).
 */
export function Remember({ ask, chosen, onChange }: Props) {
  const { ref, settled } = useSettled<HTMLFieldSetElement>(ask.id);
  if (ask.suggestions.length === 0) return null;
  const toggle = (at: number) =>
    onChange(chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at]);
  return (
    <fieldset ref={ref} aria-disabled={!settled} className="flex flex-col gap-1">
      <legend className="text-small text-dim">{strings.asks.remember}</legend>
      {ask.suggestions.map((suggestion, at) => {
        const { what, reach } = describeSuggestion(suggestion);
        const refused = disablesAsking(suggestion);
        return (
          <label key={at} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(at)}
              disabled={refused}
              onChange={() => toggle(at)}
            />
            <span className="min-w-0 wrap-anywhere">
              <span className="as-it-runs">{spelled(what)}</span>{" "}
              <span className="text-dim">{reach}</span>
              {refused && <span className="text-dim"> · {strings.asks.onlyAsPermission}</span>}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
