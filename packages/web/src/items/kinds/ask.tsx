import { toShortText, type DisplayItemOf } from "../../text/body.ts";
import { useItemServices } from "../parts/items-context.tsx";
import { BlockedPath } from "../parts/blocked-path.tsx";
import { Section } from "../parts/card.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { StatusLine } from "../parts/status-line.tsx";
import { describeAskOutcome, summarizeGrants } from "../tools/ask-outcome.ts";
import { formatCount } from "../../text/format.ts";
import { inert, spelled } from "../../text/visible.ts";
import { AskInput } from "../tools/ask-input.tsx";

type Ask = DisplayItemOf<"ask">;

/** A request of the agent: its content while it is open, its outcome afterwards. */
export function AskItemView({ item }: { item: Ask }) {
  const { useDocked } = useItemServices();
  const docked = useDocked?.();
  if (item.status !== "open") return <AnsweredAsk item={item} />;
  const asked = (
    <h4 className="font-semibold">
      <AskHeading item={item} />
    </h4>
  );
  if (docked) {
    // The controls are docked above the composer, where they cannot scroll out of view.
    return (
      <section
        className="ask flex flex-wrap items-baseline gap-x-3"
        aria-label={`asks: ${spelled(toShortText(item.title))}`}
      >
        {asked}
        <p className="text-small text-dim">It waits for your answer below.</p>
      </section>
    );
  }
  return (
    <section className="ask" aria-label={`asks: ${spelled(toShortText(item.title))}`}>
      {asked}
      {item.description !== undefined && (
        <p className="text-dim">{inert(toShortText(item.description, 2000))}</p>
      )}
      {item.reason !== undefined && (
        <p className="text-dim">{inert(toShortText(item.reason, 2000))}</p>
      )}
      {item.blockedPath !== undefined && <BlockedPath path={item.blockedPath} />}
      <AskInput item={item} />
      {docked === false && (
        <p className="text-small text-dim">
          It cannot be answered here just now: this is what was seen last.
        </p>
      )}
    </section>
  );
}

function AskHeading({ item: { ask, tool, title } }: { item: Ask }) {
  switch (ask) {
    case "permission":
      return (
        <>
          May it use <span className="font-mono">{spelled(toShortText(tool ?? title))}</span>?
        </>
      );
    case "plan":
      return "May it carry out this plan?";
    case "question":
      return "It has a question for you";
    default:
      return (
        <>
          It asks: <span className="font-mono">{spelled(toShortText(title))}</span>
        </>
      );
  }
}

function AnsweredAsk({ item }: { item: Ask }) {
  const { label, summary, mono, message, tone } = describeAskOutcome(item);
  const granted = item.granted ?? [];
  const { rules, mode } = summarizeGrants(granted);
  const more = (
    <>
      <AskInput item={item} />
      {granted.length > 0 && (
        <Section label="granted along with it">
          <JsonView value={granted} id={`${item.id}/granted`} />
        </Section>
      )}
    </>
  );
  return (
    <StatusLine id={item.id} tone={tone} more={more}>
      <span>
        {label} <span className={mono ? "font-mono" : ""}>{summary}</span>
        {message}
        {mode !== undefined && ` · ${modeLabels[mode] ?? `in the mode ${mode}`}`}
        {rules > 0 && ` · and ${formatCount(rules, "rule")} for good`}
        {item.by !== undefined && ` · by ${inert(toShortText(item.by, 60))}`}
      </span>
    </StatusLine>
  );
}

const modeLabels: Readonly<Record<string, string>> = {
  default: "asks before each change",
  acceptEdits: "changes files without asking",
};
