import type { TimelineEvent } from "../event.ts";
import { own } from "../normalize/fields.ts";
import { type Item, type ItemBody, type ItemOf, parentOf } from "./item.ts";
import { initialSummary, summarize, type Summary } from "./summary.ts";

/** What is kept between events: the items that may still change, and the summary. Plain data. */
export interface ReduceState {
  readonly rev: number;
  readonly nextOrder: number;
  readonly turn: number;
  /** The time of the line at hand. */
  readonly now?: number;
  readonly open: Readonly<Record<string, Item>>;
  /** The text that is being written: newer than what `open` has of it. */
  readonly growing?: Item;
  readonly summary: Summary;
}

/** The state after an event, and the items it made or changed, whole. */
export interface Reduced {
  readonly state: ReduceState;
  readonly changed: readonly Item[];
}

export function initialReduceState(): ReduceState {
  return { rev: 0, nextOrder: 0, turn: 0, open: {}, summary: initialSummary() };
}

export function reduce(before: ReduceState, event: TimelineEvent, at?: number): Reduced {
  if (event.type === "block-grew") return onBlockGrew(before, event);
  const now = at ?? before.now;
  const summary = summarize(before.summary, event, now);
  const state = { ...landed(before), summary, ...(now !== undefined && { now }) };
  switch (event.type) {
    case "block-started":
      return onBlockStarted(state, event);
    case "block-settled":
      return onBlockSettled(state, event);
    case "tool-called":
      return onToolCalled(state, event);
    case "tool-updated":
      return onToolUpdated(state, event);
    case "tool-progressed":
      return change<"tool">(state, event.callId, { elapsedSeconds: event.elapsedSeconds });
    case "turn-started":
      return unchanged({ ...state, turn: event.turn });
    case "turn-ended":
      return onTurnEnded(state, event);
    case "user-said": {
      const { uuid, lane, content, origin } = event;
      const arrived = origin === "agent";
      const body = { kind: "prompt", content, origin, arrived } as const;
      return create(state, uuid, { ...parentOf(lane), ...body }, !arrived);
    }
    case "user-replayed":
      return change<"prompt">(state, event.uuid, { arrived: true });
    case "command-moved": {
      const final = event.state === "completed" || event.state === "cancelled";
      return change<"prompt">(state, event.uuid, { state: event.state, arrived: true }, final);
    }
    case "permission-asked":
      return onAsked(state, event);
    case "permission-answered": {
      const { behavior, message } = event;
      const answer = {
        status: "answered",
        behavior,
        ...(message !== undefined && { message }),
      } as const;
      return change<"ask">(state, event.requestId, answer, true);
    }
    case "permission-cancelled":
      return change<"ask">(state, event.requestId, { status: "cancelled" }, true);
    case "task-moved":
      return onTask(state, event);
    case "hook-moved": {
      const { hookId, name, event: hook, state: moved, output, outcome } = event;
      const body = {
        kind: "hook",
        name,
        event: hook,
        state: moved,
        ...(output !== undefined && { output }),
        ...(outcome !== undefined && { outcome }),
      } as const;
      // Without an id there is no telling which one moves on: each word of it stands for itself.
      return hookId === undefined
        ? note(state, body)
        : put(state, `hook-${hookId}`, body, moved !== "ended");
    }
    case "compaction-started":
      return create(
        state,
        `compaction-${state.nextOrder}`,
        { kind: "compaction", state: "running" },
        true,
      );
    case "compaction-ended": {
      const { type: _, ...facts } = event;
      const done = facts.error === undefined ? "done" : "failed";
      const open = Object.values(state.open).find((item) => item.kind === "compaction");
      const body = { kind: "compaction", state: done, ...facts } as const;
      return open ? change<"compaction">(state, open.id, body, true) : note(state, body);
    }
    case "run-ended":
      return onRunEnded(state, event);
    case "opaque-received": {
      const { kind, name, raw } = event;
      return note(state, { kind: "opaque", why: event.why ?? kind, name, raw });
    }
    default: {
      const body = noticeOf(event);
      return body ? note(state, body) : unchanged(state);
    }
  }
}

/** What is worth a line of its own, and is no item of another kind. */
function noticeOf(event: TimelineEvent): ItemBody | undefined {
  const notice = (level: string, text: string, details?: unknown): ItemBody => ({
    kind: "notice",
    level,
    text,
    ...(details !== undefined && { details }),
  });
  switch (event.type) {
    case "notice":
      return notice(event.level, event.text);
    case "tool-summed-up":
      return notice("info", event.summary, { callIds: event.callIds });
    case "rate-limited":
      return event.status === "allowed"
        ? undefined
        : notice("warning", `rate limit: ${event.message || event.status}`, event.info);
    case "retry-scheduled":
      return notice(
        "warning",
        `the model answered ${event.status ?? "nothing"}; trying again`,
        event,
      );
    case "model-refused":
      return notice("warning", event.message, event);
    case "model-changed":
      return notice("info", `model: ${event.model}`);
    case "mode-changed":
      return notice("info", `permission mode: ${event.mode}`);
    case "permission-denied":
      return notice("warning", `${event.tool} was not allowed: ${event.message}`);
    case "command-printed":
      return notice("output", event.text);
    case "files-persisted":
      return notice("info", `files kept: ${event.files.join(", ")}`, event);
    case "auth-changed":
      return notice(
        event.error === undefined ? "info" : "error",
        event.error ?? "logging in",
        event,
      );
    case "plugin-moved":
      return notice(
        event.error === undefined ? "info" : "error",
        `plugin ${event.name ?? ""}: ${event.status}`,
        event,
      );
    case "prompt-suggested":
      return notice("suggestion", event.suggestion);
    case "conversation-reset":
      return notice("info", "the conversation was reset");
    case "context-compacted-summary":
      return notice("summary", event.text);
    case "session-started":
      return notice("info", event.status === "new" ? "session started" : "session resumed", event);
    default:
      return undefined;
  }
}

function onBlockStarted(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "block-started" }>,
): Reduced {
  const parent = parentOf(event.lane);
  if (event.kind === "tool") {
    const name = event.name ?? "unnamed";
    const { block } = event;
    const body = {
      kind: "tool",
      name,
      title: name,
      status: "preparing",
      inputText: "",
      block,
    } as const;
    return put(state, event.callId ?? block, { ...parent, ...body }, true);
  }
  if (event.kind === "other") {
    const body = { kind: "block", block: { type: "unknown" }, live: true } as const;
    return put(state, event.block, { ...parent, ...body }, true);
  }
  return put(state, event.block, { ...parent, kind: event.kind, text: "", live: true }, true);
}

/** The one change that comes by the thousand: all it costs is the item and the state, made anew. */
function onBlockGrew(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "block-grew" }>,
): Reduced {
  const { block, text } = event;
  const growing = state.growing?.id === block ? state.growing : undefined;
  const before = growing ? state : landed(state);
  const item = growing ?? own(before.open, block) ?? openTool(before, block);
  if (!item || text === "") return unchanged(state);
  if (item.kind === "text" || item.kind === "thinking") {
    const rev = before.rev + 1;
    const grown: Item = { ...item, text: item.text + text, rev };
    return { state: { ...before, rev, growing: grown }, changed: [grown] };
  }
  if (item.kind !== "tool") return unchanged(state);
  return replace(before, { ...item, inputText: (item.inputText ?? "") + text }, true);
}

/** The state with the growing item back among the others. */
function landed(state: ReduceState): ReduceState {
  const { growing, ...rest } = state;
  return growing ? { ...rest, open: { ...rest.open, [growing.id]: growing } } : state;
}

/** A call that is being written is open under its own id; its block points to it. */
function openTool(state: ReduceState, block: string): Item | undefined {
  const found = Object.values(state.open).find(
    (item) => item.kind === "tool" && item.block === block,
  );
  return found;
}

function onBlockSettled(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "block-settled" }>,
): Reduced {
  const body: ItemBody =
    event.kind === "text" || event.kind === "thinking"
      ? { kind: event.kind, text: event.text, live: false }
      : { kind: "block", block: event.content ?? { type: "unknown" }, live: false };
  return put(state, event.block, { ...parentOf(event.lane), ...body }, false);
}

function onToolCalled(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "tool-called" }>,
): Reduced {
  const { callId, lane, name, title, payload } = event;
  const body = { kind: "tool", name, title, status: "running", payload } as const;
  return put(state, callId, { ...parentOf(lane), ...body }, true);
}

function onToolUpdated(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "tool-updated" }>,
): Reduced {
  const { callId, status, payload } = event;
  const ended = state.now === undefined ? {} : { endedAt: state.now };
  return change<"tool">(state, callId, { status, payload, ...ended }, true);
}

function onTurnEnded(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "turn-ended" }>,
): Reduced {
  const { type: _, turn, ...facts } = event;
  let at: Reduced = unchanged(state);
  // A message that never became whole keeps what was said of it.
  for (const item of Object.values(state.open)) {
    const cut = item.parent === undefined && "live" in item && item.live;
    if (cut) at = also(at, (next) => replace(next, { ...item, live: false }, false));
    if (item.kind === "tool" && item.status === "preparing" && item.parent === undefined) {
      at = also(at, (next) => change<"tool">(next, item.id, { status: "interrupted" }, true));
    }
    // What was sent before this turn began was its cause; what came later still waits.
    const over = item.kind === "prompt" && (item.arrived || item.turn < turn);
    if (over) at = also(at, (next) => close(next, item.id));
  }
  return also(at, (next) => create(next, `turn-${turn}`, { kind: "turn-end", ...facts }, false));
}

/** Nothing goes on without the agent: what still seemed to is over. */
function onRunEnded(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "run-ended" }>,
): Reduced {
  let at: Reduced = unchanged(state);
  for (const item of Object.values(state.open)) {
    const over = overBody(item);
    at = also(at, (next) => (over ? change(next, item.id, over, true) : close(next, item.id)));
  }
  const level = event.status === "crashed" ? "error" : "info";
  return also(at, (next) =>
    note(next, { kind: "notice", level, text: event.said ?? event.status }),
  );
}

function overBody(item: Item): Partial<Item> | undefined {
  if ("live" in item) return item.live ? { live: false } : undefined;
  switch (item.kind) {
    case "tool":
      return { status: "interrupted" };
    case "ask":
      return { status: "cancelled" };
    case "task":
      return { status: "stopped" };
    case "hook":
      return { state: "ended", outcome: "cancelled" };
    case "compaction":
      return { state: "failed" };
    default:
      return undefined;
  }
}

function onAsked(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "permission-asked" }>,
): Reduced {
  const { type: _, requestId, kind: ask, lane, ...facts } = event;
  return create(
    state,
    requestId,
    { ...parentOf(lane), kind: "ask", ask, ...facts, status: "open" },
    true,
  );
}

function onTask(
  state: ReduceState,
  event: Extract<TimelineEvent, { type: "task-moved" }>,
): Reduced {
  const { taskId, callId, description, summary } = event;
  const id = `task-${taskId}${event.runId === undefined ? "" : `-${event.runId}`}`; // it may be run again
  const status = event.status ?? (event.state === "started" ? "running" : undefined);
  const news = {
    ...(status !== undefined && { status }),
    ...(description !== undefined && { description }),
    ...(summary !== undefined && { summary }),
    ...(callId !== undefined && { callId }),
  };
  const ends = event.state === "notified";
  if (own(state.open, id)) return change<"task">(state, id, news, ends);
  const body = {
    kind: "task",
    description: description ?? taskId,
    status: status ?? "running",
    ...news,
  } as const;
  return event.state === "started" ? create(state, id, body, true) : note(state, body);
}

/* The few ways in which items come and go. */

type Body = ItemBody & { readonly parent?: string };

function unchanged(state: ReduceState): Reduced {
  return { state, changed: [] };
}

function also(first: Reduced, next: (state: ReduceState) => Reduced): Reduced {
  const second = next(first.state);
  return { state: second.state, changed: [...first.changed, ...second.changed] };
}

function create(state: ReduceState, id: string, body: Body, stays: boolean): Reduced {
  const rev = state.rev + 1;
  const at = state.now === undefined ? {} : { at: state.now };
  const item: Item = { id, order: state.nextOrder, turn: state.turn, ...at, rev, ...body };
  const open = stays ? { ...state.open, [id]: item } : state.open;
  return { state: { ...state, rev, nextOrder: state.nextOrder + 1, open }, changed: [item] };
}

/** A thing without an id of its own that will not change again. */
function note(state: ReduceState, body: Body): Reduced {
  return create(state, `note-${state.nextOrder}`, body, false);
}

/** Makes the item, or gives an open one its new body. */
function put(state: ReduceState, id: string, body: Body, stays: boolean): Reduced {
  const item = own(state.open, id);
  if (!item) return create(state, id, body, stays);
  const { order, turn, rev, parent, at } = item;
  return replace(
    state,
    {
      id,
      order,
      turn,
      ...(at !== undefined && { at }),
      rev,
      ...(parent !== undefined && { parent }),
      ...body,
    },
    stays,
  );
}

function change<K extends Item["kind"]>(
  state: ReduceState,
  id: string,
  news: Partial<ItemOf<K>>,
  final = false,
): Reduced {
  const item = own(state.open, id);
  return item ? replace(state, { ...item, ...news }, !final) : unchanged(state);
}

function replace(state: ReduceState, item: Item, stays: boolean): Reduced {
  const rev = state.rev + 1;
  const next = { ...item, rev };
  if (stays)
    return { state: { ...state, rev, open: { ...state.open, [item.id]: next } }, changed: [next] };
  return { state: { ...state, rev, open: withoutKey(state.open, item.id) }, changed: [next] };
}

function close(state: ReduceState, id: string): Reduced {
  return unchanged({ ...state, open: withoutKey(state.open, id) });
}

function withoutKey<V>(record: Readonly<Record<string, V>>, key: string): Record<string, V> {
  const { [key]: _, ...rest } = record;
  return rest;
}
