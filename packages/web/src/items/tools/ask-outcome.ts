import { toShortRawText, type DisplayItemOfKind } from "../../text/body.ts";
import { inert, spelled } from "../../text/visible.ts";
import { strings } from "../../strings/strings.ts";
import { lookup } from "../../text/lookup.ts";

const text = strings.items;

type Ask = Pick<
  DisplayItemOfKind<"ask">,
  "ask" | "tool" | "title" | "status" | "behavior" | "message" | "inputBefore"
>;

/** Describes a closed ask in one line: the outcome, what was asked, and the person's message. */
interface AskOutcome {
  readonly label: string;
  readonly summary: string;
  /** Whether the summary is a command or path. */
  readonly mono: boolean;
  readonly message: string;
  readonly tone: "dim" | "failed" | "waiting";
}

export function describeAskOutcome(item: Ask): AskOutcome {
  const [label, tone] = getLabel(item);
  const mono = item.ask === "permission";
  const message = inert(toShortRawText(item.message, 400));
  // The message of an ask that nobody answered is an explanation, not an answer.
  const between = item.status === "answered" ? ": " : " · ";
  return {
    label,
    summary: summarizeAsk(item),
    mono,
    message: message === "" ? "" : `${between}${message}`,
    tone,
  };
}

const refusals = new Set(["deny", "decline", "cancel"]);

/** Whether the answer was a refusal. */
export function isRefusal({ behavior }: Pick<Ask, "behavior">): boolean {
  return refusals.has(toShortRawText(behavior, 40));
}

function getLabel(item: Ask): [string, AskOutcome["tone"]] {
  if (item.status === "expired") return [text.outcomes.expired, "waiting"];
  if (item.status === "cancelled") return [text.outcomes.canceled, "waiting"];
  const refused = isRefusal(item);
  switch (item.ask) {
    case "plan":
      return refused
        ? [text.outcomes.changesRequested, "waiting"]
        : [text.outcomes.approved, "dim"];
    case "permission":
      if (refused) return [text.outcomes.denied, "failed"];
      return [
        item.inputBefore === undefined ? text.outcomes.allowed : text.outcomes.editedAndAllowed,
        "dim",
      ];
    default:
      return refused ? [text.outcomes.skipped, "dim"] : [text.outcomes.answered, "dim"];
  }
}

/** What was asked. Never empty, because the label before it refers to it. */
function summarizeAsk({ ask, tool, title }: Ask): string {
  if (ask === "plan") return text.subjects.plan;
  const subject = toShortRawText(title, 100).replaceAll(/\s+/g, " ").trim();
  if (ask !== "permission")
    return subject === ""
      ? (lookup(text.subjects, toShortRawText(ask, 40)) ?? text.subjects.request)
      : `“${inert(subject)}”`;
  const name = toShortRawText(tool, 60);
  const whole = subject === name ? subject : `${name} ${subject}`.trim();
  return spelled(whole === "" ? text.subjects.call : whole);
}

/** Summarizes what was granted along with the answer: rules, and the agent's new mode. */
export function summarizeGrants(granted: readonly unknown[]): { rules: number; mode?: string } {
  const isMode = (one: unknown) => (one as { type?: unknown } | null)?.type === "setMode";
  const modes = granted.filter(isMode);
  const mode = (modes.at(-1) as { mode?: unknown } | undefined)?.mode;
  const rules = granted.length - modes.length;
  return { rules, ...(typeof mode === "string" && { mode }) };
}
