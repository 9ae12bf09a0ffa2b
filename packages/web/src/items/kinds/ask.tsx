import { brief, type ShownItemOf } from "../body.ts";
import { useItems } from "../items-context.tsx";
import { Section } from "../parts/card.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { Remark } from "../parts/remark.tsx";
import { counted } from "../text/figures.ts";
import { pretty } from "../text/pretty.ts";
import { inert, spelled } from "../text/visible.ts";

type Ask = ShownItemOf<"ask">;

/** Something the agent asked a person: open, with the means to answer; afterwards, what became of it. */
export function AskView({ item }: { item: Ask }) {
  const { AskControls } = useItems();
  if (item.status !== "open") return <Answered item={item} />;
  const asked = (
    <h4 className="font-semibold">
      <Asked item={item} />
    </h4>
  );
  if (AskControls) {
    return (
      <section
        className="ask flex flex-wrap items-baseline gap-x-3"
        aria-label={`asks: ${spelled(brief(item.title))}`}
      >
        {asked}
        <AskControls item={item} />
      </section>
    );
  }
  return (
    <section className="ask" aria-label={`asks: ${spelled(brief(item.title))}`}>
      {asked}
      {item.description !== undefined && (
        <p className="text-dim">{inert(brief(item.description, 2000))}</p>
      )}
      {item.reason !== undefined && <p className="text-dim">{inert(brief(item.reason, 2000))}</p>}
      <PlainText text={inputText(item.input)} />
    </section>
  );
}

function Asked({ item: { ask, tool, title } }: { item: Ask }) {
  switch (ask) {
    case "permission":
      return (
        <>
          May it use <span className="font-mono">{spelled(brief(tool ?? title))}</span>?
        </>
      );
    case "plan":
      return "May it carry out this plan?";
    case "question":
      return "It has a question for you";
    default:
      return (
        <>
          It asks: <span className="font-mono">{spelled(brief(title))}</span>
        </>
      );
  }
}

function Answered({ item }: { item: Ask }) {
  const [word, tone] = fate(item);
  const gist = gistOf(item);
  const granted = item.granted ?? [];
  const { rules, mode } = grantsOf(granted);
  const more = (
    <>
      <Inputs item={item} />
      {granted.length > 0 && (
        <Section label="granted along with it">
          <JsonView value={granted} id={`${item.id}/granted`} />
        </Section>
      )}
    </>
  );
  return (
    <Remark id={item.id} tone={tone} more={more}>
      <span>
        {word}
        {gist !== "" && <span className="font-mono"> {spelled(gist)}</span>}
        {item.message !== undefined && `: ${inert(brief(item.message, 400))}`}
        {mode !== undefined && ` · ${modeWords[mode] ?? `in the mode ${mode}`}`}
        {rules > 0 && ` · and ${counted(rules, "rule")} for good`}
        {item.by !== undefined && ` · by ${inert(brief(item.by, 60))}`}
      </span>
    </Remark>
  );
}

/** What it was about; where a person changed it, what was asked for beside what was allowed. */
function Inputs({ item: { input, inputBefore } }: { item: Ask }) {
  if (inputBefore === undefined) return <PlainText text={inputText(input)} />;
  return (
    <>
      <Section label="what was asked for">
        <PlainText text={inputText(inputBefore)} />
      </Section>
      <Section label="what was allowed in its place">
        <PlainText text={inputText(input)} />
      </Section>
    </>
  );
}

const modeWords: Readonly<Record<string, string>> = {
  default: "asks before each change",
  acceptEdits: "changes files without asking",
};

/** What came with an answer: rules to remember, and the mode the agent went into. */
function grantsOf(granted: readonly unknown[]): { rules: number; mode?: string } {
  const isMode = (one: unknown) => (one as { type?: unknown } | null)?.type === "setMode";
  const modes = granted.filter(isMode);
  const mode = (modes.at(-1) as { mode?: unknown } | undefined)?.mode;
  const rules = granted.length - modes.length;
  return { rules, ...(typeof mode === "string" && { mode }) };
}

function fate(item: Ask): [string, "dim" | "failed" | "waiting"] {
  if (item.status === "expired") return ["Expired:", "waiting"];
  if (item.status === "cancelled") return ["No longer asked:", "waiting"];
  const refused = item.behavior === "deny";
  if (item.ask === "plan") {
    return refused ? ["Sent the plan back", "waiting"] : ["Approved the plan", "dim"];
  }
  if (refused) return ["Refused", "failed"];
  if (item.inputBefore !== undefined) return ["Edited and allowed", "dim"];
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
