import type { TimelineEvent } from "../event.ts";
import { describeCall, toolTitle } from "../tools/index.ts";
import type { ItemDraft } from "./draft.ts";
import type { ItemOfKind } from "../item.ts";

/** What waits for a person, and how long the call behind it stood still for that. */

type EventOfType<T extends TimelineEvent["type"]> = Extract<TimelineEvent, { type: T }>;

export function onAsked(draft: ItemDraft, event: EventOfType<"permission-asked">): void {
  const { type: _, requestId, kind: ask, lane, ...facts } = event;
  const body = { ...draft.under(lane), kind: "ask", ask, ...facts, status: "open" } as const;
  draft.create(requestId, body, true);
  const call = draft.call(event.callId);
  if (!call || draft.now === null) return;
  draft.change(call, { waits: [...(call.waits ?? []), { from: draft.now }] }, true);
}

/** As many as the log may still say about who answered. */
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

/** A call that was allowed with another input is told by that one. */
function updateTitle(ask: ItemOfKind<"ask"> | undefined, input: unknown): { title?: string } {
  const { ask: kind, tool } = ask ?? {};
  if (kind !== "permission" || tool === undefined || input === undefined) return {};
  return { title: toolTitle(tool, describeCall(tool, input)) };
}

/** What was changed is kept beside what it became; the log may tell of one answer twice. */
function readInputBefore(
  ask: ItemOfKind<"ask"> | undefined,
  input: unknown,
): { inputBefore?: unknown } {
  if (ask?.ask !== "permission" || ask.inputBefore !== undefined || input === undefined) return {};
  return JSON.stringify(ask.input) === JSON.stringify(input) ? {} : { inputBefore: ask.input };
}

export function onCancelled(draft: ItemDraft, event: EventOfType<"permission-cancelled">): void {
  const { requestId, message, expired } = event;
  const fields = message === undefined ? {} : { message };
  const status = expired ? "expired" : "cancelled";
  goesOn(draft, requestId);
  draft.change(draft.find("ask", requestId), { status, ...fields }, false);
}

/** The call behind an open ask waits no longer for this one. */
function goesOn(draft: ItemDraft, requestId: string): void {
  const { now } = draft;
  const ask = draft.find("ask", requestId);
  if (ask?.status !== "open" || now === null) return;
  const call = draft.call(ask.callId);
  const at = call?.waits?.findIndex(({ from, to }) => from === ask.at && to === undefined) ?? -1;
  const wait = call?.waits?.[at];
  if (wait) draft.change(call, { waits: call.waits.with(at, { ...wait, to: now }) }, true);
}
