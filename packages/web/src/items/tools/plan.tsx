import type { ToolStatus } from "@signalbox/timeline";
import { isFinished } from "@signalbox/timeline/view";
import { toShortText, getLength } from "../../text/body.ts";
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
      name={operation === "enter" ? "Plans first" : "Plan"}
      title={payload.filePath === undefined ? "" : toShortText(payload.filePath)}
      open={operation === "exit"}
      showsError={sentBack}
      meta={operation === "exit" && <PlanStatus approved={approved} status={item.status} />}
    >
      {getLength(plan) > 0 && !elsewhere && (
        <div className="card-section">
          <Prose body={plan} />
        </div>
      )}
      {sentBack && (
        <Section label="sent back with">
          <PlainProse body={error} />
        </Section>
      )}
    </ToolCard>
  );
}

function PlanStatus({ approved, status }: { approved: boolean | undefined; status: ToolStatus }) {
  if (!isFinished(status)) return <span>waits for a person</span>;
  if (approved === true) return <span className="text-working">approved</span>;
  return <span>{status === "denied" || approved === false ? "sent back" : "not answered"}</span>;
}
