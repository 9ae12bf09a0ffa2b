import { toShortText, type DisplayItemOfKind } from "../../text/body.ts";
import { useItemServices } from "../parts/items-context.tsx";
import { BlockedPath } from "../parts/blocked-path.tsx";
import { Section } from "../parts/card.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { StatusLine } from "../parts/status-line.tsx";
import { describeAskOutcome, summarizeGrants } from "../tools/ask-outcome.ts";
import { inert, spelled } from "../../text/visible.ts";
import { AskInput } from "../tools/ask-input.tsx";
import { strings } from "../../strings/strings.ts";

const text = strings.items;

type Ask = DisplayItemOfKind<"ask">;

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
        aria-label={text.asks(spelled(toShortText(item.title)))}
      >
        {asked}
        <p className="text-small text-dim">{text.answerBelow}</p>
      </section>
    );
  }
  return (
    <section className="ask" aria-label={text.asks(spelled(toShortText(item.title)))}>
      {asked}
      {item.description !== undefined && (
        <p className="text-dim">{inert(toShortText(item.description, 2000))}</p>
      )}
      {item.reason !== undefined && (
        <p className="text-dim">{inert(toShortText(item.reason, 2000))}</p>
      )}
      {item.blockedPath !== undefined && <BlockedPath path={item.blockedPath} />}
      <AskInput item={item} />
      {docked === false && <p className="text-small text-dim">{text.lastSeen}</p>}
    </section>
  );
}

function AskHeading({ item: { ask, tool, title } }: { item: Ask }) {
  switch (ask) {
    case "permission":
      return (
        <>
          {text.useTool} <span className="font-mono">{spelled(toShortText(tool ?? title))}</span>?
        </>
      );
    case "plan":
      return text.approvePlan;
    case "question":
      return text.question;
    default:
      return (
        <>
          {text.request} <span className="font-mono">{spelled(toShortText(title))}</span>
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
        <Section label={text.granted}>
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
        {mode !== undefined && ` · ${text.modes[mode] ?? text.mode(mode)}`}
        {rules > 0 && ` · ${text.rules(rules)}`}
        {item.by !== undefined && ` · ${text.by(inert(toShortText(item.by, 60)))}`}
      </span>
    </StatusLine>
  );
}
