import { toShortText, getLength } from "../../text/body.ts";
import { useItemComponent, useItemServices } from "../parts/items-context.tsx";
import { strings } from "../../strings/strings.ts";
import { BackgroundStatus } from "../parts/background-status.tsx";
import { Section } from "../parts/card.tsx";
import { Prose } from "../parts/prose.tsx";
import { useFold } from "../parts/use-fold.ts";
import { formatCount, formatTokens } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

/** A subagent: its prompt, its steps and its report. */
export function SubagentView({ item, payload }: ToolProps<"subagent_task">) {
  const { useChildren } = useItemServices();
  const children = useChildren(item.id);
  const { output } = payload;
  const report = item.background?.summary ?? output?.text; // A background agent reports later.
  const running = item.status === "running";
  // The prompt is shown as the first step.
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
        <Section label={strings.tools.prompt}>
          <Prose body={payload.prompt} />
        </Section>
      )}
      {children.length > 0 && <Steps id={item.id} />}
      {report !== undefined && getLength(report) > 0 && (
        <Section label={strings.tools.result}>
          <Prose body={report} />
        </Section>
      )}
    </ToolCard>
  );
}

/** The number of steps shown at first. */
const MAX_INITIAL_STEPS = 30;

function Steps({ id }: { id: string }) {
  const { useChildren } = useItemServices();
  const ItemView = useItemComponent();
  const children = useChildren(id);
  const [all, showAll] = useFold(`${id}/steps`, false);
  const shown = all ? children : children.slice(-MAX_INITIAL_STEPS);
  return (
    <Section label={strings.tools.steps}>
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
