import { type Body, type DisplayItem, getLength, joinEnds, toShortText } from "../../text/body.ts";
import { useItemComponent, useItemServices } from "../parts/items-context.tsx";
import { strings } from "../../strings/strings.ts";
import { BackgroundStatus } from "../parts/background-status.tsx";
import { Section } from "../parts/card.tsx";
import { Prose } from "../parts/prose.tsx";
import { useFold } from "../parts/use-fold.ts";
import { formatTokens } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

/** A subagent: its prompt, its steps and its report. */
export function SubagentView({ item, payload }: ToolProps<"subagent_task">) {
  const { useChildren } = useItemServices();
  const children = useChildren(item.id);
  const { output } = payload;
  const report = item.background?.summary ?? output?.text; // A background agent reports later.
  const running = item.status === "running";
  const rows = children.filter(({ kind }) => kind !== "prompt");
  const steps = rows.filter(({ kind }) => kind === "tool").length;
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
          {steps > 0 && <span>{strings.tools.stepCount(steps)}</span>}
          {output?.tokens !== undefined && (
            <span>{strings.tools.tokenCount(formatTokens(output.tokens))}</span>
          )}
        </>
      }
    >
      <SubagentPrompt id={item.id} prompt={payload.prompt} />
      {rows.length > 0 && <Steps id={item.id} steps={rows} />}
      {report !== undefined && getLength(report) > 0 && !isLastText(rows, report) && (
        <Section label={strings.tools.result}>
          <Prose body={report} />
        </Section>
      )}
    </ToolCard>
  );
}

/** The number of steps shown at first. */
const MAX_INITIAL_STEPS = 30;

/** Whether a report is the last text of the steps, which shows it already. */
function isLastText(steps: readonly DisplayItem[], report: Body): boolean {
  const last = steps.findLast(({ kind }) => kind === "text");
  if (last?.kind !== "text") return false;
  return joinEnds(last.text).trim() === joinEnds(report).trim();
}

/** What the subagent was asked to do, folded to its first lines. */
function SubagentPrompt({ id, prompt }: { id: string; prompt: Body }) {
  const [isOpen, toggle] = useFold(`${id}/prompt`, false);
  const isLong = getLength(prompt) > 300 || joinEnds(prompt).split("\n").length > 3;
  return (
    <Section label={strings.tools.prompt}>
      <div className={isLong && !isOpen ? "line-clamp-3" : ""}>
        <Prose body={prompt} />
      </div>
      {isLong && (
        <button
          type="button"
          className="quiet-button -ml-1.5"
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {isOpen ? strings.conversation.showLess : strings.conversation.showMore}
        </button>
      )}
    </Section>
  );
}

function Steps({ id, steps: children }: { id: string; steps: readonly DisplayItem[] }) {
  const ItemView = useItemComponent();
  const [all, showAll] = useFold(`${id}/steps`, false);
  const shown = all ? children : children.slice(-MAX_INITIAL_STEPS);
  return (
    <Section label={strings.tools.steps}>
      {shown.length < children.length && (
        <button type="button" className="quiet-button mb-2" onClick={showAll}>
          {strings.tools.showEarlierSteps(children.length - shown.length)}
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
