import { strings } from "../../strings/strings.ts";
import { getLength } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { Prose, PlainProse } from "../parts/prose.tsx";
import { ToolCard, type ToolProps, useIsAskDocked } from "./tool-card.tsx";

/** A plan and whether it was approved. */
export function PlanView({ item, payload }: ToolProps<"plan">) {
  const { operation, approved, plan, error } = payload;
  const elsewhere = useIsAskDocked(item);
  const sentBack = operation === "exit" && approved === false && error !== undefined;
  return (
    <ToolCard
      item={item}
      name={operation === "enter" ? strings.tools.enteredPlanMode : strings.tools.plan}
      title=""
      open={operation === "exit"}
      showsError={sentBack}
    >
      {getLength(plan) > 0 && !elsewhere && (
        <div className="card-section">
          <Prose body={plan} />
        </div>
      )}
      {sentBack && (
        <Section label={strings.tools.planRequestedChanges}>
          <PlainProse body={error} />
        </Section>
      )}
    </ToolCard>
  );
}
