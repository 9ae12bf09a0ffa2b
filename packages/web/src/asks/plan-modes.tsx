import type { AskView, PlanMode, PolicyName } from "@signalbox/api";
import { planModes, planModeLabels, planModeProblem } from "./plan-mode.ts";
import { strings } from "../strings/strings.ts";
import { useSettled } from "../guard/use-settled.ts";

interface Props {
  readonly ask: AskView;
  readonly policy: PolicyName | undefined;
  readonly chosen: PlanMode;
  readonly onChange: (mode: PlanMode) => void;
}

/** Selects the mode in which an approved plan runs, with the choices of Claude Code's own dialog. */
export function PlanModes({ ask, policy, chosen, onChange }: Props) {
  const { ref, settled } = useSettled<HTMLFieldSetElement>(ask.id);
  return (
    <fieldset ref={ref} aria-disabled={!settled} className="plan-modes">
      <legend className="sr-only">{strings.asks.afterApproval}</legend>
      <span aria-hidden="true" className="text-small text-dim">
        {strings.asks.afterApproval}
      </span>
      {planModes.map((mode) => {
        const { what, more } = planModeLabels[mode];
        const whyNot = planModeProblem(mode, policy);
        return (
          <label key={mode} className={`choice ${whyNot === undefined ? "" : "text-dim"}`}>
            <input
              type="radio"
              name={`mode-${ask.id}`}
              value={mode}
              checked={mode === chosen}
              disabled={whyNot !== undefined}
              onChange={() => onChange(mode)}
            />
            <span className="min-w-0">
              {what} <span className="text-small text-dim max-sm:sr-only">{whyNot ?? more}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
