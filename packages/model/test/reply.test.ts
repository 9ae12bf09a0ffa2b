import { parseScript } from "@signalbox/model";
import { describe, expect, test } from "bun:test";
import type { MessagesRequest } from "../src/conversation/request.ts";
import { type Beat, createBeats } from "../src/reply/beats.ts";
import { pieces, words } from "../src/reply/pieces.ts";
import { planReply } from "../src/reply/plan.ts";
import { Pace } from "../src/http/pace.ts";

type Asked = Partial<MessagesRequest> & { answered?: number; failed?: number };

function plan(source: string, { answered = 0, failed = 0, ...more }: Asked = {}) {
  const prompt = { role: "user", content: "go" };
  const answers = Array.from({ length: answered }, () => ({ role: "assistant", content: "a" }));
  const messages = [prompt, ...answers];
  const base = { model: "m", stream: true, messages, tools: [], asker: "", aside: false };
  return planReply(parseScript(source), { ...base, ...more }, failed);
}
function beats(source: string, asked: Asked = {}, chunkDelayMs = 0): Beat[] {
  let ids = 0;
  const newId = (prefix: string) => `${prefix}${++ids}`;
  return [...createBeats(plan(source, asked), { model: "m", inputTokens: 9, chunkDelayMs, newId })];
}
const kinds = (all: Beat[]) =>
  all.map((beat) => (beat.kind === "event" ? beat.event.type : beat.kind));
const prompts = (...texts: string[]) => texts.map((content) => ({ role: "user", content }));
const firstSaid = (source: string, asked: Asked = {}) => {
  const [step] = plan(source, asked).message.steps;
  return step?.do === "say" ? step.text : step?.do;
};

describe("the events of a message", () => {
  test("come in the API's order, a block at a time", () => {
    expect(kinds(beats('think a\nsay b c\ntool Bash {"command":"ls"}'))).toEqual([
      "message_start",
      "content_block_start", // thinking
      "content_block_delta",
      "content_block_delta", // its signature
      "content_block_stop",
      "content_block_start", // text
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "content_block_start", // tool_use
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });
  test("carry ids, indices, deltas and counts as the API does", () => {
    const all = beats('think hm\nsay b\ntool Bash {"command":"ls"}');
    const events = all.flatMap((beat) => (beat.kind === "event" ? [beat.event] : []));
    const usage = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, input_tokens: 9 };
    expect(events[0]).toEqual({
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    });
    expect(events.slice(1, 5)).toEqual([
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "signature_delta", signature: expect.any(String) },
      },
      { type: "content_block_stop", index: 0 },
    ]);
    expect(events.slice(8)).toEqual([
      {
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "toolu_2", name: "Bash", input: {} },
      },
      {
        type: "content_block_delta",
        index: 2,
        delta: { type: "input_json_delta", partial_json: '{"command":"ls"}' },
      },
      { type: "content_block_stop", index: 2 },
      {
        type: "message_delta",
        delta: { stop_reason: "tool_use", stop_sequence: null },
        usage: { ...usage, output_tokens: 5 },
      },
      { type: "message_stop" },
    ]);
  });
  test("say how the message ended, and what it cost, as the script has it", () => {
    const all = beats(
      "say a\nstop max_tokens\nusage input=1 output=2 cache_read=3 cache_creation=4",
    );
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
    };
    expect(all.at(-2)).toMatchObject({ event: { delta: { stop_reason: "max_tokens" }, usage } });
    expect(all[0]).toMatchObject({ event: { message: { usage: { input_tokens: 1 } } } });
  });
  test("pause, stall and break off where the script says so", () => {
    expect(kinds(beats("say a\nwait 5\nsay b")).filter((kind) => kind === "pause")).toHaveLength(1);
    expect(kinds(beats("say a\nstall")).at(-1)).toBe("stall");
    expect(kinds(beats("stall"))).toEqual(["stall"]);
    expect(kinds(beats("say a\ncut")).at(-1)).toBe("cut");
    expect(beats("say a\noverload").at(-1)).toMatchObject({
      event: { type: "error", error: { type: "overloaded_error" } },
    });
  });
  test("are paced by a flood's rate or by the delay between deltas", () => {
    expect(beats("flood 2 50").filter(({ kind }) => kind === "pace")).toEqual([
      { kind: "pace", perSecond: 50 },
      { kind: "pace", perSecond: 50 },
    ]);
    expect(kinds(beats("flood 2")).includes("pace")).toBe(false);
    expect(beats("say a b", {}, 20).filter(({ kind }) => kind === "pace")).toHaveLength(2);
  });
});

describe("which message is sent", () => {
  test("the one that the answers so far lead to, and Done. after the last", () => {
    const script = "tool A\nsay b\ntool C\nsay d";
    const sent = [0, 1, 2, 3].map((answered) => firstSaid(script, { answered }));
    expect(sent).toEqual(["tool", "b", "d", "Done."]);
  });
  test("the first scene whose text the prompt contains, else the one for all", () => {
    const script = "say other\n== Weather\nsay rain\n== weather report\nsay never";
    const asked = (...said: string[]) => firstSaid(script, { messages: prompts(...said) });
    expect(asked("the WEATHER REPORT please")).toBe("rain");
    expect(asked("hello")).toBe("other");
    expect(asked("weather", "hello")).toBe("other");
  });
  test("an echo when no scene fits, once", () => {
    const messages = prompts("x".repeat(300));
    expect(firstSaid("== y\nsay no", { messages })).toBe(`Echo: ${"x".repeat(200)}`);
    const answered = [...messages, { role: "assistant", content: "Echo" }];
    expect(firstSaid("== y\nsay no", { messages: answered })).toBe("Done.");
  });
  test("the prompt's own directives before any scene", () => {
    expect(firstSaid("say scene", { messages: prompts("Please\n::say own") })).toBe("own");
  });
  test("what is wrong with the prompt's own directives", () => {
    const reply = firstSaid("say scene", { messages: prompts("Please\n::shout") });
    expect(reply).toContain("line 2");
    expect(reply).toContain("say TEXT");
  });
  test("an echo for the program's own questions, whatever the script says", () => {
    expect(firstSaid("tool Bash", { aside: true, messages: prompts("::stall") })).toBe(
      "Echo: ::stall",
    );
  });
  test("a summary that keeps the place, when the program asks for one", () => {
    const messages = prompts("go", "Your task is to create a detailed summary of the conversation");
    expect(firstSaid("tool Bash", { messages })).toContain('<scripted-prompt answered="0">\ngo\n');
  });
});

describe("failures", () => {
  test("come in their order, each as often as it says, and then the message is whole", () => {
    const script = "overload x2\nsay a\ncut\nsay b";
    const failures = [0, 1, 2, 3].map((failed) => {
      const { failure, message } = plan(script, { failed });
      return [failure?.kind, message.steps.length];
    });
    expect(failures).toEqual([
      ["error", 0],
      ["error", 0],
      ["cut", 1],
      [undefined, 2],
    ]);
  });
  test("with nothing after them end in Done.", () => {
    expect(firstSaid("error 500", { failed: 1 })).toBe("Done.");
  });
});

function called(name: string, tools: string[]) {
  const [step] = plan(`tool ${name}`, { tools }).message.steps;
  return step?.do === "tool" && step.name;
}

describe("tools", () => {
  test("the subagent tool goes by the name that is on offer", () => {
    expect(called("Task", ["Agent"])).toBe("Agent");
    expect(called("Agent", ["Task"])).toBe("Task");
    expect(called("Task", ["Task", "Agent"])).toBe("Task");
  });
  test("a tool that is not on offer is called all the same", () => {
    expect(called("Task", ["Bash"])).toBe("Task");
    expect(called("Teleport", [])).toBe("Teleport");
  });
});

describe("{{seen PATTERN}}", () => {
  const messages = [
    ...prompts("go"),
    { role: "assistant", content: "a" },
    { role: "user", content: [{ type: "tool_result", content: "ID: one" }] },
    { role: "assistant", content: "b" },
    { role: "user", content: [{ type: "tool_result", content: "ID: two" }] },
  ];
  const third = (directive: string) => {
    const [step] = plan(`tool A\nnext\ntool B\nnext\n${directive}`, { messages }).message.steps;
    return step?.do === "tool" ? step.input : step?.do === "say" && step.text;
  };
  test("is what the pattern found last, in a text and anywhere in an input", () => {
    expect(third("say It is {{seen ID: (\\w+)}}, {{seen ID.}}")).toBe("It is two, ID:");
    expect(third('tool C {"a":[{"b":"{{seen ID: (\\\\w+)}}!"}],"n":1}')).toEqual({
      a: [{ b: "two!" }],
      n: 1,
    });
  });
  test("stays as it is when nothing was found or it is no pattern", () => {
    expect(third("say {{seen nothing}} {{seen (}}")).toBe("{{seen nothing}} {{seen (}}");
  });
});

describe("pieces", () => {
  test("put together are the text, and none parts a character", () => {
    const text = `  two  words\n\n${"\u{1f686}".repeat(50)} end`;
    expect([...words(text)].join("")).toBe(text);
    expect([...pieces(text)].join("")).toBe(text);
    expect([...pieces(text)].every((piece) => piece.isWellFormed())).toBe(true);
    expect([...words("a b c")]).toEqual(["a ", "b ", "c"]);
  });
});

test("a pace makes up for what a sleep overshot, but not for a long standstill", () => {
  const pace = new Pace();
  expect(pace.next(100, 0)).toBe(10);
  expect(pace.next(100, 15)).toBe(5);
  expect(pace.next(100, 30)).toBe(0);
  expect(pace.next(100, 10_000)).toBe(0);
  expect(pace.next(100, 10_000 - 1000)).toBe(20);
});
