import { expect, test } from "bun:test";
import { decode } from "@signalbox/protocol";
import * as fc from "fast-check";
import { DeltaCoalescer } from "../../src/session/delta-coalescer.ts";

const session = "18ad0e75-018b-4c34-a814-257533c8c25d";

function line(text: string, more: { index?: number; thinking?: boolean; session?: string } = {}) {
  const { index = 0, thinking = false } = more;
  const delta = thinking
    ? { type: "thinking_delta", thinking: text }
    : { type: "text_delta", text };
  return JSON.stringify({
    type: "stream_event",
    event: { type: "content_block_delta", index, delta },
    session_id: more.session ?? session,
    parent_tool_use_id: null,
    uuid: crypto.randomUUID(),
    api_message_id: "msg_1",
  });
}
const arrival = (text: string) => ({
  seq: 1,
  run: null,
  from: "agent" as const,
  at: 1,
  line: text,
});

/** Every line in order, words that came together as one. */
function joined(lines: readonly string[]): unknown[] {
  const words = new DeltaCoalescer();
  const out: unknown[] = [];
  const give = () => {
    const said = words.flush();
    if (said?.decoded.kind === "known") out.push(said.decoded.message);
  };
  for (const each of lines) {
    if (words.add(arrival(each))) continue;
    give();
    if (!words.add(arrival(each))) out.push(decode(each));
  }
  give();
  return out;
}

test("[HB28] deltas that arrive together become one, and nothing is lost, whatever they contain", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constant('"}},"session_id":"'),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
      const said = joined(texts.map((each) => line(each))).map((each) => {
        const message =
          "message" in (each as object) ? (each as { message: unknown }).message : each;
        return (message as { event: { delta: { text: string } } }).event.delta.text;
      });
      expect(said.join("")).toBe(texts.join(""));
    }),
  );
  expect(joined([line("a "), line("b "), line("c")])).toHaveLength(1);
});

test("[HB28] deltas of other texts, thoughts and sessions, and other lines, stay separate and in order", () => {
  const lines = [
    line("a"),
    line("b", { index: 1 }),
    line("c", { thinking: true }),
    line("d", { thinking: true }),
    line("e", { session: crypto.randomUUID() }),
    '{"type":"keep_alive"}',
    line("f").replace('"api_message_id":"msg_1"', '"api_message_id":"msg_2"'),
    line("g").slice(0, -1),
  ];
  const found = joined(lines) as { event?: { delta: object }; kind?: string }[];
  expect(found.map((each) => each.event?.delta ?? each.kind)).toEqual([
    { type: "text_delta", text: "a" },
    { type: "text_delta", text: "b" },
    { type: "thinking_delta", thinking: "cd" },
    { type: "text_delta", text: "e" },
    "known",
    { type: "text_delta", text: "f" },
    "noise",
  ]);
});
