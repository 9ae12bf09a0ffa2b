import { toShortText, getLength } from "../../text/body.ts";
import { useItemComponent, useItemServices } from "../parts/items-context.tsx";
import { BackgroundStatus } from "../parts/background-status.tsx";
import { Section } from "../parts/card.tsx";
import { Prose } from "../parts/prose.tsx";
import { useFold } from "../parts/use-fold.ts";
import { formatCount, formatTokens } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

/** An agent that this one started: what it was told, what it did, what it said. */
export function SubagentView({ item, payload }: ToolProps<"subagent_task">) {
  const { useChildren } = useItemServices();
  const children = useChildren(item.id);
  const { output } = payload;
  const report = item.background?.summary ?? output?.text; // in the background it comes later
  const running = item.status === "running";
  // Its first prompt is what it was told.
  const told = children.some(({ kind }) => kind === "prompt");
  const steps = children.filter(({ kind }) => kind !== "prompt").length;
  return (
    <ToolCard
      item={item}
      name={toShortText(payload.subagentType ?? item.name, 40)}
      title={toShortText(payload.description)}
      mono={false}
      open={running}
      meta={
        <>
          {output?.launched === true && <BackgroundStatus work={item.background} />}
          {steps > 0 && <span>{formatCount(steps, "step")}</span>}
          {output?.tokens !== undefined && <span>{formatTokens(output.tokens)} tokens</span>}
        </>
      }
    >
      {!told && (
        <Section label="told">
          <Prose body={payload.prompt} />
        </Section>
      )}
      {children.length > 0 && <Steps id={item.id} />}
      {report !== undefined && getLength(report) > 0 && (
        <Section label="said in the end">
          <Prose body={report} />
        </Section>
      )}
    </ToolCard>
  );
}

/** Steps that are drawn at once; the earlier ones come on demand. */
const MAX_INITIAL_STEPS = 30;

function Steps({ id }: { id: string }) {
  const { useChildren } = useItemServices();
  const ItemView = useItemComponent();
  const children = useChildren(id);
  const [all, showAll] = useFold(`${id}/steps`, false);
  const shown = all ? children : children.slice(-MAX_INITIAL_STEPS);
  return (
    <Section label="did">
      {shown.length < children.length && (
        <button type="button" className="quiet-button mb-2" onClick={showAll}>
          Show {formatCount(children.length - shown.length, "earlier step")}
        </button>
      )}
      <ol className="steps">
        {shown.map((child) => (
          <li key={child.id}>
            <ItemView item={child} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
