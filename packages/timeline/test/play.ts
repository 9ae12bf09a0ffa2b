import { decode, type LogMarker, type LogMarkerType, formatLogMarker } from "@signalbox/protocol";
import {
  advance,
  createTimeline,
  type Item,
  type LogLine,
  type TimelineEvent,
  type TimelineState,
} from "@signalbox/timeline";

export interface Played {
  state: TimelineState;
  events: TimelineEvent[];
  /** The items as they are at the end, in order. */
  items: Item[];
}

export type Said = { from: "agent" | "host" | "keeper"; text: string };

export function logLine({ from, text }: Said): LogLine {
  return { from, line: decode(text) };
}

/** Plays a log from the beginning, or goes on from a saved state and its items. */
export function play(said: readonly Said[], before?: Played): Played {
  let state = before?.state ?? createTimeline();
  const events = [...(before?.events ?? [])];
  const items = new Map((before?.items ?? []).map((item) => [item.id, item]));
  for (const line of said) {
    const step = advance(state, logLine(line));
    state = step.state;
    events.push(...step.events);
    for (const item of step.changed) {
      const known = items.get(item.id);
      if (known && known.order !== item.order) throw new Error(`the id ${item.id} was used again`);
      items.set(item.id, item);
    }
  }
  return { state, events, items: [...items.values()].toSorted((a, b) => a.order - b.order) };
}

export const agent = (message: object): Said => ({ from: "agent", text: JSON.stringify(message) });
export const host = (message: object): Said => ({ from: "host", text: JSON.stringify(message) });

/** A note of the keeper's. */
export const note = <T extends LogMarkerType>(
  subtype: T,
  fields: Omit<LogMarker<T>, "type" | "subtype">,
): Said => ({
  from: "keeper",
  text: formatLogMarker(subtype, fields as unknown as Parameters<typeof formatLogMarker<T>>[1]),
});

export const runEnded = (status: "ended" | "parked" | "crashed", sentence = "It is over.") =>
  note("run_ended", { run: "r1", status, kind: "exited", sentence });

export const runStarted = (status: "new" | "resumed" | "forked", more: object = {}) =>
  note("run_started", {
    run: "r1",
    status,
    driver: "stdio",
    policy: "default",
    agent: { path: "/bin/claude", version: "2.1.325", versionClass: "tested" },
    capabilities: {},
    leftOut: [],
    ...more,
  });

/* The messages of a conversation, as Claude Code says them. */

let made = 0;
export const uuid = (): string => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;

export const init = (more: object = {}) =>
  agent({
    type: "system",
    subtype: "init",
    session_id: "s1",
    model: "opus",
    tools: ["Bash"],
    permissionMode: "default",
    uuid: uuid(),
    ...more,
  });

/** What begins a run: the host initializes the agent. */
export const newRun = (): Said[] => {
  const request_id = uuid();
  return [
    host({ type: "control_request", request_id, request: { subtype: "initialize" } }),
    agent({
      type: "control_response",
      response: { subtype: "success", request_id, response: { commands: [] } },
    }),
  ];
};

export const prompt = (content: unknown, id = uuid()) =>
  host({ type: "user", uuid: id, message: { role: "user", content }, parent_tool_use_id: null });

export const assistant = (messageId: string, block: object, more: object = {}) =>
  agent({
    type: "assistant",
    parent_tool_use_id: null,
    uuid: uuid(),
    message: {
      id: messageId,
      role: "assistant",
      model: "opus",
      content: [block],
      usage: {
        input_tokens: 100,
        output_tokens: 1,
        cache_creation_input_tokens: 10,
        cache_read_input_tokens: 5,
      },
    },
    ...more,
  });

export const stream = (event: object, lane: string | null = null) =>
  agent({ type: "stream_event", event, parent_tool_use_id: lane, uuid: uuid() });

/** A block as it is streamed and then settled, in the order in which 2.1.325 does it. */
export function streamed(
  messageId: string,
  index: number,
  block: { type: string; text?: string; thinking?: string },
): Said[] {
  const whole = block.text ?? block.thinking ?? "";
  const delta = (part: string) =>
    block.type === "text"
      ? { type: "text_delta", text: part }
      : { type: "thinking_delta", thinking: part };
  const parts = whole.match(/.{1,4}/gsu) ?? [];
  return [
    stream({ type: "content_block_start", index, content_block: { type: block.type } }),
    ...parts.map((part) => stream({ type: "content_block_delta", index, delta: delta(part) })),
    assistant(messageId, block),
    stream({ type: "content_block_stop", index }),
  ];
}

export const messageStart = (messageId: string, lane: string | null = null) =>
  stream(
    {
      type: "message_start",
      message: {
        id: messageId,
        role: "assistant",
        model: "opus",
        usage: { input_tokens: 100, output_tokens: 1 },
      },
    },
    lane,
  );

export const toolUse = (id: string, name: string, input: object, more: object = {}) =>
  assistant(`msg-${id}`, { type: "tool_use", id, name, input }, more);

export const toolResult = (id: string | undefined, content: unknown, more: object = {}) =>
  agent({
    type: "user",
    parent_tool_use_id: null,
    uuid: uuid(),
    message: {
      role: "user",
      content: [{ type: "tool_result", ...(id && { tool_use_id: id }), content }],
    },
    ...more,
  });

export const result = (more: object = {}) =>
  agent({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "done",
    session_id: "s1",
    total_cost_usd: 0.5,
    duration_ms: 1200,
    num_turns: 1,
    usage: { input_tokens: 100, output_tokens: 20 },
    modelUsage: { opus: { contextWindow: 1_000_000 } },
    uuid: uuid(),
    ...more,
  });

/** What is shown after a prompt and the agent's `init`, and what was said then. */
export function after(...said: Said[]) {
  return play([prompt("go"), init(), ...said]);
}

/** Of that, the items of one kind, as plain objects. */
/** The items of one kind that stand in the end. */
export function items<K extends Item["kind"]>(said: readonly Said[], kind: K) {
  const isOne = (item: Item): item is Extract<Item, { kind: K }> => item.kind === kind;
  return play(said).items.filter(isOne);
}

export function shown(said: readonly Said[], kind: string): Record<string, unknown>[] {
  const found = after(...said).items.filter((item) => item.kind === kind);
  return found.map((item) => item as unknown as Record<string, unknown>);
}

export function system(subtype: string, more: object): Said {
  return agent({ type: "system", subtype, session_id: "s1", uuid: uuid(), ...more });
}

type Of<T extends TimelineEvent["type"]> = Extract<TimelineEvent, { type: T }>;

/** Of what was said, the events of one type. */
export function events<T extends TimelineEvent["type"]>(said: readonly Said[], type: T): Of<T>[] {
  return play(said).events.filter((event): event is Of<T> => event.type === type);
}

export const types = (said: readonly Said[]) => play(said).events.map(({ type }) => type);

export const bash = (id: string, more: object = {}) => toolUse(id, "Bash", { command: "ls" }, more);
