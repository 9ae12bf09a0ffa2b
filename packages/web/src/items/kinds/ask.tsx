import { brief, type ShownItemOf } from "../body.ts";
import { useItems } from "../items-context.tsx";
import { Section } from "../parts/card.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { Remark } from "../parts/remark.tsx";
import { counted } from "../text/figures.ts";
import { pretty } from "../text/pretty.ts";

type Ask = ShownItemOf<"ask">;

/** Something the agent asked a person: open, with the means to answer; afterwards, what became of it. */
export function AskView({ item }: { item: Ask }) {
  const { AskControls } = useItems();
  if (item.status !== "open") return <Answered item={item} />;
  return (
    <section className="ask" aria-label={`asks: ${brief(item.title)}`}>
      <h4 className="font-semibold">
        {item.ask === "permission" ? "May it use " : "It asks: "}
        <span className="font-mono">{brief(item.tool ?? item.title)}</span>?
      </h4>
      {item.description !== undefined && (
        <p className="text-dim">{brief(item.description, 2000)}</p>
      )}
      {item.reason !== undefined && <p className="text-dim">{brief(item.reason, 2000)}</p>}
      {AskControls ? <AskControls item={item} /> : <PlainText text={inputText(item.input)} />}
    </section>
  );
}

function Answered({ item }: { item: Ask }) {
  const [word, tone] = fate(item);
  const gist = gistOf(item);
  const granted = item.granted ?? [];
  const more = (
    <>
      <PlainText text={inputText(item.input)} />
      {granted.length > 0 && (
        <Section label="allowed for good along with it">
          <JsonView value={granted} id={`${item.id}/granted`} />
        </Section>
      )}
    </>
  );
  return (
    <Remark id={item.id} tone={tone} more={more}>
      <span>
        {word}
        {gist !== "" && <span className="font-mono"> {gist}</span>}
        {item.message !== undefined && `: ${brief(item.message, 400)}`}
        {granted.length > 0 && ` · and ${counted(granted.length, "rule")} for good`}
        {item.by !== undefined && ` · by ${brief(item.by, 60)}`}
      </span>
    </Remark>
  );
}

function fate(item: Ask): [string, "dim" | "failed" | "waiting"] {
  if (item.status === "expired") return ["Expired:", "waiting"];
  if (item.status === "cancelled") return ["No longer asked:", "waiting"];
  const refused = item.behavior === "deny";
  if (item.ask === "plan") {
    return refused ? ["Sent the plan back", "waiting"] : ["Approved the plan", "dim"];
  }
  if (refused) return ["Refused", "failed"];
  return item.ask === "permission" ? ["Allowed", "dim"] : ["Answered", "dim"];
}

/** What it was about, in a line: the tool, and what it was to do. */
function gistOf({ ask, tool, title }: Ask): string {
  if (ask === "plan") return "";
  const said = brief(title, 100).replaceAll(/\s+/g, " ");
  const name = brief(tool, 60);
  return ask !== "permission" || said === name ? said : `${name} ${said}`.trim();
}

/** A command alone is read more easily than as JSON. */
function inputText(input: unknown): string {
  const command = (input as { command?: unknown } | null)?.command;
  return typeof command === "string" && Object.keys(input as object).length === 1
    ? command
    : pretty(input);
}
