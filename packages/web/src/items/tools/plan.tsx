import { brief, lengthOf } from "../body.ts";
import { useItems } from "../items-context.tsx";
import { Section } from "../parts/card.tsx";
import { Prose, Words } from "../parts/prose.tsx";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

/** A plan, and what became of it. */
export function PlanView({ item, payload }: ToolProps<"plan">) {
  const { operation, approved, plan, error } = payload;
  const { AskControls } = useItems();
  // Where it can be answered it is read there, beside the answers; here it would be a second one.
  const elsewhere = AskControls !== undefined && isOpen(item.status);
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

function isOpen(status: string): boolean {
  return status === "running" || status === "preparing";
}

function Fate({ approved, status }: { approved: boolean | undefined; status: string }) {
  if (isOpen(status)) return <span>waits for a person</span>;
  return approved === true ? (
    <span className="text-working">approved</span>
  ) : (
    <span>sent back</span>
  );
}
