import { type Body, brief, isCut, type ShownItemOf } from "../body.ts";
import { useItems } from "../items-context.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { Remark } from "../parts/remark.tsx";
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
        <span className="font-mono">{brief(item.title)}</span>?
      </h4>
      {item.reason !== undefined && <p className="text-dim">{brief(item.reason, 2000)}</p>}
      {AskControls ? <AskControls item={item} /> : <PlainText text={inputText(item.input)} />}
    </section>
  );
}

function Answered({ item }: { item: Ask }) {
  const [word, tone] = fate(item);
  return (
    <Remark id={item.id} tone={tone} more={<PlainText text={inputText(item.input)} />}>
      <span>
        {word} <span className="font-mono">{gistOf(item)}</span>
        {item.message !== undefined && `: ${brief(item.message, 400)}`}
      </span>
    </Remark>
  );
}

function fate(item: Ask): [string, "dim" | "failed" | "waiting"] {
  if (item.status === "cancelled") return ["No longer asked:", "waiting"];
  const refused = item.behavior === "deny";
  if (item.ask === "plan")
    return refused ? ["Sent the plan back", "waiting"] : ["Approved the plan", "dim"];
  if (refused) return ["Refused", "failed"];
  return item.ask === "permission" ? ["Allowed", "dim"] : ["Answered", "dim"];
}

/** What it was about, in a few words: the tool, and the field that says most. */
function gistOf({ ask, title, input }: Ask): string {
  if (ask !== "permission") return ask === "plan" ? "" : brief(title, 60);
  const fields = (input ?? {}) as Record<string, unknown>;
  const telling = ["command", "file_path", "notebook_path", "url", "query", "skill", "description"]
    .map((name) => fields[name])
    .find((value): value is Body => typeof value === "string" || isCut(value));
  const gist = telling === undefined ? "" : brief(telling, 80).replaceAll(/\s+/g, " ");
  return `${brief(title, 60)} ${gist}`.trim();
}

/** A command alone is read more easily than as JSON. */
function inputText(input: unknown): string {
  const command = (input as { command?: unknown } | null)?.command;
  return typeof command === "string" && Object.keys(input as object).length === 1
    ? command
    : pretty(input);
}
