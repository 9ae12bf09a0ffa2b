import type { ScriptedUsage } from "../script/types.ts";
import { type BlockStep, countCharacters, createDeltas } from "./deltas.ts";
import {
  type StreamEvent,
  type WireBlock,
  wireError,
  type WireMessage,
  wireUsage,
} from "./events.ts";
import type { Plan } from "./plan.ts";

/** What happens next on the connection. */
export type Beat =
  | { kind: "event"; event: StreamEvent }
  | { kind: "pause"; ms: number }
  /** What follows comes so many times a second. */
  | { kind: "pace"; perSecond: number }
  | { kind: "stall" }
  | { kind: "cut" };

/** What a message needs besides its script. */
export type Envelope = {
  model: string;
  inputTokens: number;
  /** Milliseconds between two deltas. */
  chunkDelayMs: number;
  newId: (prefix: string) => string;
};

/** Turns a plan into what is sent, in order. A flood is made while it is read. */
export function* createBeats({ message, failure }: Plan, envelope: Envelope): Generator<Beat> {
  const given = { input: envelope.inputTokens, cacheRead: 0, cacheCreation: 0, ...message.usage };
  const [first] = message.steps;
  if (first?.do !== "stall") yield opening(envelope, { ...given, output: 1 });
  let chars = 0;
  let index = 0;
  for (const step of message.steps) {
    switch (step.do) {
      case "wait":
        yield { kind: "pause", ms: step.ms };
        break;
      case "stall":
        yield { kind: "stall" };
        return;
      case "fail":
        break; // the plan has chosen among these
      case "say":
      case "think":
      case "tool":
      case "flood":
      case "long":
        chars += yield* block(step, index++, envelope);
        break;
      default:
        step satisfies never;
    }
  }
  if (failure) {
    yield failure.kind === "cut" ? { kind: "cut" } : event(wireError(failure.error));
    return;
  }
  const calls = message.steps.some((step) => step.do === "tool");
  const stop_reason = message.stopReason ?? (calls ? "tool_use" : "end_turn");
  yield event({
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: wireUsage({ output: Math.max(1, Math.ceil(chars / 4)), ...given }),
  });
  yield event({ type: "message_stop" });
}

/** One content block; returns how many characters it held. */
function* block(step: BlockStep, index: number, envelope: Envelope): Generator<Beat, number> {
  const slowed = envelope.chunkDelayMs > 0 && step.do !== "flood"; // which has a rate of its own
  const usual = slowed ? 1000 / envelope.chunkDelayMs : undefined;
  let chars = 0;
  yield event({ type: "content_block_start", index, content_block: emptyBlock(step, envelope) });
  for (const { delta, perSecond = usual } of createDeltas(step)) {
    chars += countCharacters(delta);
    if (perSecond) yield { kind: "pace", perSecond };
    yield event({ type: "content_block_delta", index, delta });
  }
  yield event({ type: "content_block_stop", index });
  return chars;
}

function emptyBlock(step: BlockStep, { newId }: Envelope): WireBlock {
  if (step.do === "think") return { type: "thinking", thinking: "", signature: "" };
  if (step.do !== "tool") return { type: "text", text: "" };
  return { type: "tool_use", id: newId("toolu_"), name: step.name, input: {} };
}

function opening({ model, newId }: Envelope, usage: ScriptedUsage): Beat {
  const message: WireMessage = {
    id: newId("msg_"),
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: wireUsage(usage),
  };
  return event({ type: "message_start", message });
}

function event(event: StreamEvent): Beat {
  return { kind: "event", event };
}
