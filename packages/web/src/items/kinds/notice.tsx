import { toShortText, getLength, type DisplayItemOfKind } from "../../text/body.ts";
import { JsonView } from "../parts/json-view.tsx";
import { Prose, PlainProse } from "../parts/prose.tsx";
import { StatusLine } from "../parts/status-line.tsx";
import { strings } from "../../strings/strings.ts";
import { withoutAnsi } from "../../text/ansi.ts";
import { formatDuration } from "../../text/format.ts";
import { lookup } from "../../text/lookup.ts";
import { isEmptyJson } from "../../text/format-json.ts";

type Notice = DisplayItemOfKind<"notice">;

const prefixes = { summary: strings.items.summary, aside: strings.items.toModel };

/** A notice of the agent program: a start, a limit, a retry, or the output of a command. */
export function NoticeView({ item }: { item: Notice }) {
  if (item.level === "output") return <CommandOutput item={item} />;
  const text = withoutAnsi(toShortText(item.text, 4000));
  const [first = "", ...rest] = text.trim().split("\n");
  const long = rest.length > 0 || first.length > 120;
  return (
    <StatusLine
      id={item.id}
      tone={getTone(toShortText(item.level, 40))}
      more={renderDetails(item, long)}
    >
      <span className="truncate">
        {lookup(prefixes, item.level)}
        {capitalize(first)}
        {describeDetails(item)}
      </span>
    </StatusLine>
  );
}

function renderDetails(item: Notice, long: boolean) {
  if (!long && isEmptyJson(item.details)) return undefined;
  return (
    <>
      {long && (
        <div className="card-section text-body text-ink">
          <Prose body={item.text} />
        </div>
      )}
      {!isEmptyJson(item.details) && <JsonView value={item.details} id={`${item.id}/details`} />}
    </>
  );
}

/** The output of a slash command. */
function CommandOutput({ item }: { item: Notice }) {
  if (getLength(item.text) === 0) return null;
  const body = typeof item.text === "string" ? withoutAnsi(item.text) : item.text;
  return (
    <div className="max-w-reading rounded-box border border-line px-3 py-2">
      {typeof body === "string" && isPlainLines(body) ? (
        <PlainProse body={body} />
      ) : (
        <Prose body={body} />
      )}
    </div>
  );
}

/** Whether a text consists of separate lines, which Markdown would join into a paragraph. */
function isPlainLines(text: string): boolean {
  return text.trim().includes("\n") && !/^\s*(?:[#>|*-]|\d+[.)]|```)|`|\*\*|\n\s*\n/m.test(text);
}

function getTone(level: string): "dim" | "failed" | "waiting" {
  if (level === "error") return "failed";
  return level === "warning" || level === "immediate" ? "waiting" : "dim";
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Details of a notice: model, version and policy of a start; attempt and delay of a retry. */
function describeDetails({ details }: Notice): string {
  if (typeof details !== "object" || details === null) return "";
  const facts = details as Record<string, unknown>;
  const parts = [
    ...(/^(?:session|run)-started$/.test(String(facts["type"]))
      ? [facts["model"], facts["version"], facts["policy"]]
      : []),
    typeof facts["attempt"] === "number" && strings.items.attempt(facts["attempt"]),
    typeof facts["signal"] === "string" && strings.items.killedBy(toShortText(facts["signal"], 20)),
    typeof facts["exitCode"] === "number" &&
      facts["exitCode"] !== 0 &&
      strings.items.exit(facts["exitCode"]),
    typeof facts["delayMs"] === "number" &&
      strings.formats.within(formatDuration(facts["delayMs"])),
  ];
  return parts
    .filter((part) => typeof part === "string")
    .map((part) => ` · ${part}`)
    .join("");
}
