import type { TimelineEvent } from "../event.ts";
import { describeCall, toolTitle } from "../tools/index.ts";
import type { ItemDraft } from "./draft.ts";
import type { ItemOfKind } from "../item.ts";

/** The asks that wait for a person, and how long the call behind each had to wait. */

type EventOfType<T extends TimelineEvent["type"]> = Extract<TimelineEvent, { type: T }>;

export function onAsked(draft: ItemDraft, event: EventOfType<"permission-asked">): void {
  const { type: _, requestId, kind: ask, lane, ...facts } = event;
  const body = { ...draft.under(lane), kind: "ask", ask, ...facts, status: "open" } as const;
  draft.create(requestId, body, true);
  const call = draft.call(event.callId);
  if (!call || draft.now === null) return;
  draft.change(call, { waits: [...(call.waits ?? []), { from: draft.now }] }, true);
}

/** The number of answered asks about which the log may still tell who answered. */
const MAX_ANSWERED = 8;

export function onAnswered(draft: ItemDraft, event: EventOfType<"permission-answered">): void {
  const { type: _, requestId, ...facts } = event;
  goesOn(draft, requestId);
  const ask = draft.find("ask", requestId);
  const changed = { ...updateTitle(ask, facts.input), ...readInputBefore(ask, facts.input) };
  draft.change(ask, { status: "answered", ...facts, ...changed }, true);
  const answered = draft.open.filter((item) => item.kind === "ask" && item.status === "answered");
  const [oldest] = answered;
  if (oldest && answered.length > MAX_ANSWERED) draft.close(oldest.id);
}

/** A call that was allowed with another input shows that input. */
function updateTitle(ask: ItemOfKind<"ask"> | undefined, input: unknown): { title?: string } {
  const { ask: kind, tool } = ask ?? {};
  if (kind !== "permission" || tool === undefined || input === undefined) return {};
  return { title: toolTitle(tool, describeCall(tool, input)) };
}

/** The original input is kept beside the edited one. The log may report one answer twice. */
function readInputBefore(
  ask: ItemOfKind<"ask"> | undefined,
  input: unknown,
): { inputBefore?: unknown } {
  if (
    (ask?.ask !== "permission" && ask?.ask !== "plan") ||
    ask.inputBefore !== undefined ||
    input === undefined
  )
    return {};
  return JSON.stringify(ask.input) === JSON.stringify(input) ? {} : { inputBefore: ask.input };
}

export function onCancelled(draft: ItemDraft, event: EventOfType<"permission-cancelled">): void {
  const { requestId, message, expired } = event;
  const fields = message === undefined ? {} : { message };
  const status = expired ? "expired" : "cancelled";
  goesOn(draft, requestId);
  draft.change(draft.find("ask", requestId), { status, ...fields }, false);
}

/** The call behind an open ask no longer waits for it. */
function goesOn(draft: ItemDraft, requestId: string): void {
  const { now } = draft;
  const ask = draft.find("ask", requestId);
  if (ask?.status !== "open" || now === null) return;
  const call = draft.call(ask.callId);
  const at = call?.waits?.findIndex(({ from, to }) => from === ask.at && to === undefined) ?? -1;
  const wait = call?.waits?.[at];
  if (wait) draft.change(call, { waits: call.waits.with(at, { ...wait, to: now }) }, true);
}
