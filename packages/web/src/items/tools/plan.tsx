import type { ToolStatus } from "@signalbox/timeline";
import { isFinished } from "@signalbox/timeline/view";
import { brief, lengthOf } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { Prose, Words } from "../parts/prose.tsx";
import { ToolCard, type ToolProps, useAskedElsewhere } from "./tool-card.tsx";

/** A plan, and what became of it. */
export function PlanView({ item, payload }: ToolProps<"plan">) {
  const { operation, approved, plan, error } = payload;
  const elsewhere = useAskedElsewhere(item);
  const sentBack = operation === "exit" && approved === false && error !== undefined;
  return (
    <ToolCard
      item={item}
      name={operation === "enter" ? "Plans first" : "Plan"}
      title={payload.filePath === undefined ? "" : brief(payload.filePath)}
      open={operation === "exit"}
      ownTrouble={sentBack}
      meta={operation === "exit" && <Fate approved={approved} status={item.status} />}
    >
      {lengthOf(plan) > 0 && !elsewhere && (
        <div className="card-section">
          <Prose body={plan} />
        </div>
      )}
      {sentBack && (
        <Section label="sent back with">
          <Words body={error} />
        </Section>
      )}
    </ToolCard>
  );
}

function Fate({ approved, status }: { approved: boolean | undefined; status: ToolStatus }) {
  if (!isFinished(status)) return <span>waits for a person</span>;
  if (approved === true) return <span className="text-working">approved</span>;
  return <span>{status === "denied" || approved === false ? "sent back" : "not answered"}</span>;
}
