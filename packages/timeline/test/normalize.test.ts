import { describe, expect, test } from "bun:test";
import type { Item } from "@signalbox/timeline";
import {
  agent,
  assistant,
  bash,
  events,
  host,
  init,
  messageStart,
  newRun,
  play,
  prompt,
  result,
  runEnded,
  runStarted,
  type Said,
  stream,
  streamed,
  toolResult,
  toolUse,
  types,
  uuid,
} from "./play.ts";

describe("turns", () => {
  test("[TL1] a turn begins with init and ends with result; a prompt was its cause, or nobody's", () => {
    const said = [prompt("hi"), init(), result(), init(), result()];
    expect(events(said, "turn-started")).toMatchObject([
      { turn: 1, cause: "prompt" },
      { turn: 2, cause: "agent" },
    ]);
    expect(events(said, "turn-ended")).toMatchObject([
      {
        turn: 1,
        status: "success",
        costUsd: 0.5,
        durationMs: 1200,
        inputTokens: 100,
        outputTokens: 20,
      },
      { turn: 2, status: "success" },
    ]);
  });

  test("[TL2] a turn that fails says why, an aborted one is interrupted and not failed", () => {
    const failed = { subtype: "error_during_execution", is_error: true, errors: ["boom"] };
    expect(events([init(), result(failed)], "turn-failed")).toMatchObject([{ error: "boom" }]);
    const words = agent({
      type: "user",
      uuid: uuid(),
      message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
    });
    const said = [init(), words, result(failed)];
    expect(events(said, "turn-ended")).toMatchObject([{ status: "interrupted" }]);
    expect(events(said, "turn-failed")).toEqual([]);
    const aborted = result({ ...failed, terminal_reason: "aborted_streaming" });
    expect(events([init(), aborted], "turn-ended")).toMatchObject([{ status: "interrupted" }]);
  });

  test("[TL3] the last good uuid: the user's at once, the assistant's when the result commits it", () => {
    const first = prompt("hi", "u1");
    const said = [
      first,
      init(),
      assistant("m1", { type: "text", text: "x" }, { uuid: "a1" }),
      result(),
    ];
    expect(events(said, "turn-ended")[0]?.lastUuid).toBe("a1");
    const cut = [first, init(), assistant("m1", { type: "text", text: "x" }, { uuid: "a1" })];
    const crashed = [...cut, runEnded("crashed")];
    expect(events(crashed, "turn-ended")[0]?.lastUuid).toBe("u1");
  });

  test("[TL4] the session is new, and resumed when it was there before", () => {
    const said = [init(), result(), init(), result(), ...newRun(), init(), result()];
    expect(events(said, "session-started").map(({ status }) => status)).toEqual(["new", "resumed"]);
  });
});

test("[TL4] a run that begins while a turn is open tells that the one before it is gone", () => {
  const said = [...newRun(), init(), bash("t1"), ...newRun(), init(), result()];
  expect(events(said, "turn-ended").map(({ status }) => status)).toEqual(["crashed", "success"]);
  expect(events(said, "tool-updated")).toMatchObject([{ callId: "t1", status: "interrupted" }]);
});

test("[TL4] who parks a run in mid-turn does so on purpose: the turn was interrupted, and says why", () => {
  const said = [...newRun(), init(), bash("t1"), runEnded("parked", "Forked here.")];
  expect(events(said, "turn-ended")).toMatchObject([
    { status: "interrupted", error: "Forked here." },
  ]);
});

describe("text", () => {
  test("[TL5] a streamed block is settled by its message, and its text is told once", () => {
    const said = [
      init(),
      messageStart("m1"),
      ...streamed("m1", 0, { type: "thinking", thinking: "Let me see." }),
      ...streamed("m1", 1, { type: "text", text: "Hello, world." }),
      result({ result: "Hello, world." }),
    ];
    expect(events(said, "block-settled")).toMatchObject([
      { messageId: "m1", index: 0, kind: "thinking", text: "Let me see." },
      { messageId: "m1", index: 1, kind: "text", text: "Hello, world." },
    ]);
    expect(events(said, "turn-ended")[0]).not.toHaveProperty("text");
  });

  test("[TL6] the result's text is told only when nothing was said", () => {
    expect(events([init(), result({ result: "Only here." })], "turn-ended")[0]?.text).toBe(
      "Only here.",
    );
  });

  test("[TL7] a message that is printed again is recognised by its uuid; so is a replayed prompt", () => {
    const line = assistant("m1", { type: "text", text: "x" }, { uuid: "a1" });
    expect(events([init(), line, line], "block-settled")).toHaveLength(1);
    expect(events([init(), line, line], "message-repeated")).toEqual([
      { type: "message-repeated", uuid: "a1" },
    ]);
    const replay = agent({
      type: "user",
      uuid: "u1",
      isReplay: true,
      message: { role: "user", content: "hi" },
    });
    const said = [prompt("hi", "u1"), init(), replay];
    expect(events(said, "user-said")).toHaveLength(1);
    expect(events(said, "user-replayed")).toEqual([{ type: "user-replayed", uuid: "u1" }]);
    expect(events([replay], "user-said")).toHaveLength(1);
  });

  test("[TL89] another message under a known uuid is shown beside the first, and flagged; each of them once", () => {
    const text = (said: string) => ({ type: "text", text: said });
    const shown = (items: readonly Item[], kind: string) =>
      items.flatMap((item) => (item.kind === kind && "text" in item ? [item.text] : []));
    const one = assistant("m1", text("one"), { uuid: "a1" });
    const other = assistant("m2", text("other"), { uuid: "a1" });
    const { items, state } = play([init(), one, other, one, other, other]);
    expect(shown(items, "text")).toEqual(["one", "other"]);
    expect(shown(items, "notice")).toContain("two messages have the uuid a1; both are shown");
    expect(state.reduce.summary.repeated).toBe(3);
  });

  test("[TL89] of three thousand messages under one uuid none is taken for another", () => {
    const said = Array.from({ length: 3000 }, (_, nth) =>
      assistant(`m${nth}`, { type: "text", text: `text ${nth}` }, { uuid: "a1" }),
    );
    expect(events([init(), ...said], "block-settled")).toHaveLength(3000);
    const again = [init(), ...said, ...said.slice(-1000)];
    expect(events(again, "message-repeated")).toHaveLength(1000);
  });

  test("[TL89] so are results of tools, ends of turns and prompts", () => {
    const pairs: [kind: string, Said[]][] = [
      [
        "tool",
        [
          toolUse("t1", "Bash", { command: "ls" }),
          toolResult("t1", "one", { uuid: "u1" }),
          toolUse("t2", "Bash", { command: "ls" }),
          toolResult("t2", "other", { uuid: "u1" }),
        ],
      ],
      ["turn-end", [result({ uuid: "r1" }), result({ uuid: "r1", is_error: true, result: "no" })]],
      ["prompt", [prompt("one", "p1"), prompt("other", "p1")]],
    ];
    for (const [kind, said] of pairs) {
      const { items, events } = play([init(), ...said]);
      expect(
        items.filter((item) => item.kind === kind),
        kind,
      ).toHaveLength(2);
      expect(
        events.filter(({ type }) => type === "uuid-reused"),
        kind,
      ).toHaveLength(1);
    }
  });

  test("[TL8] whole messages without streaming, with several blocks or a plain text, are told too", () => {
    const whole = agent({
      type: "assistant",
      message: {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    });
    const plain = agent({ type: "assistant", message: { content: "c" } });
    expect(events([whole, plain], "block-settled").map(({ text, index }) => [text, index])).toEqual(
      [
        ["a", 0],
        ["b", 1],
        ["c", 2],
      ],
    );
  });
});

describe("context", () => {
  const usage = {
    input_tokens: 100,
    output_tokens: 1,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 5,
  };

  test("[TL17] used is the sum of the main model's latest message; the window is 200,000 until known", () => {
    const said = [init(), assistant("m1", { type: "text", text: "x" }), result()];
    expect(events(said, "context-changed")).toEqual([
      { type: "context-changed", used: 116, window: 200_000, remaining: 199_884, efficiency: 0.1 },
      { type: "context-changed", used: 116, window: 1_000_000, remaining: 999_884, efficiency: 0 },
    ]);
  });

  test("[TL18] the end of a streamed message has the true count, subagents' messages do not count", () => {
    const end = stream({
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: 50 },
    });
    const sub = assistant("m2", { type: "text", text: "y" }, { parent_tool_use_id: "t1" });
    const said = [init(), messageStart("m1"), end, sub];
    expect(events(said, "context-changed").map(({ used }) => used)).toEqual([150]);
    const below = stream({ type: "message_delta", delta: {}, usage: { input_tokens: 9000 } }, "t1");
    expect(events([...said, messageStart("m9"), below], "context-changed")).toHaveLength(1);
  });

  test("[TL18] a message that tells nothing of its tokens leaves the count as it is", () => {
    const ends = (more: object) => stream({ type: "message_delta", delta: {}, ...more });
    const bare = stream({ type: "message_start", message: { id: "m2", model: "opus" } });
    for (const said of [[ends({})], [bare, ends({})], [bare, ends({ usage: {} })]]) {
      const spoke = assistant("m1", { type: "text", text: "x" });
      expect(play([init(), spoke, ...said]).state.normalize.used).toBe(116);
    }
  });

  test("[TL19] the window is read in either spelling, and not from a subagent's model", () => {
    const other = { modelUsage: { haiku: { contextWindow: 1 }, sonnet: { contextWindow: 2 } } };
    const older = { modelUsage: undefined, model_usage: { opus: { context_window: 500_000 } } };
    const message = agent({
      type: "assistant",
      message: { id: "m1", model: "opus", content: [], usage },
    });
    const windows = (more: object) => play([init(), message, result(more)]).state.normalize.window;
    expect([windows(other), windows(older)]).toEqual([200_000, 500_000]);
  });
});

describe("asks and activity", () => {
  const ask = agent({
    type: "control_request",
    request_id: "q1",
    request: {
      subtype: "can_use_tool",
      tool_name: "Bash",
      input: { command: "ls" },
      tool_use_id: "t1",
    },
  });
  const answer = (from: typeof host) =>
    from({
      type: "control_response",
      response: {
        subtype: "success",
        request_id: "q1",
        response: { behavior: "deny", message: "no" },
      },
    });

  test("[TL20] an ask is over with its call, in a log without its answer too", () => {
    const task = toolUse("task", "Task", { description: "d", prompt: "p" });
    const call = toolUse("t1", "Bash", { command: "ls" }, { parent_tool_use_id: "task" });
    const open = [init(), task, call, ask];
    expect(play(open).state.normalize.activity).toBe("asking");
    for (const over of [toolResult("t1", "out"), toolResult("task", "out"), result()]) {
      const { state, items } = play([...open, over]);
      expect(state.normalize.activity).not.toBe("asking");
      expect(items.find((item) => item.kind === "ask")).toMatchObject({ status: "cancelled" });
      expect(state.normalize.asks).toEqual([]);
    }
  });

  test("[TL20] an ask is told, answered once, and its echo is nothing new", () => {
    const said = [init(), ask, answer(host), answer(agent)];
    expect(events(said, "permission-asked")).toMatchObject([
      { requestId: "q1", kind: "permission", tool: "Bash" },
    ]);
    expect(events(said, "permission-answered")).toEqual([
      { type: "permission-answered", requestId: "q1", behavior: "deny", message: "no" },
    ]);
    expect(
      events(
        [init(), ask, agent({ type: "control_cancel_request", request_id: "q1" })],
        "permission-cancelled",
      ),
    ).toHaveLength(1);
  });

  test("[TL20] an ask is over when its answer was an error, and when its turn is", () => {
    const error = host({
      type: "control_response",
      response: { subtype: "error", request_id: "q1", error: "broken" },
    });
    expect(events([init(), ask, error], "permission-answered")).toMatchObject([
      { behavior: "error", message: "broken" },
    ]);
    expect(events([init(), ask, result()], "permission-cancelled")).toHaveLength(1);
  });

  test("[TL21] activity follows from the messages alone", () => {
    const activities = (said: Said[]) =>
      events(said, "activity-changed").map(({ activity }) => activity);
    const tasks = (list: object[]) =>
      agent({ type: "system", subtype: "background_tasks_changed", tasks: list });
    const status = (value: string | null) =>
      agent({ type: "system", subtype: "status", status: value });
    expect(
      activities([
        prompt("hi"),
        init(),
        ask,
        answer(host),
        status("compacting"),
        status(null),
        tasks([{ task_id: "a" }]),
        result(),
        tasks([]),
        runEnded("parked"),
        init(),
        runEnded("ended"),
      ]),
    ).toEqual([
      "active",
      "asking",
      "active",
      "compacting",
      "active",
      "background",
      "idle",
      "parked",
      "active",
      "ended",
    ]);
  });

  test("[TL21] a run is starting until its agent answers, or says its first word", () => {
    const activities = (...said: Said[]) =>
      events([init(), result(), runEnded("parked"), ...said], "activity-changed")
        .map(({ activity }) => activity)
        .slice(3);
    const noted = runStarted("resumed");
    const [asks, answers] = newRun() as [Said, Said];
    for (const run of [
      [asks, answers],
      [asks, answers, noted],
      [noted, asks, answers],
    ]) {
      expect(activities(...run)).toEqual(["starting", "idle"]);
    }
    expect(activities(noted)).toEqual(["starting"]);
    expect(activities(noted, prompt("hi"), init())).toEqual(["starting", "active"]);
    expect(activities(noted, assistant("m1", { type: "text", text: "x" }))).toEqual([
      "starting",
      "active",
    ]);
    expect(activities(asks, runEnded("crashed"))).toEqual(["starting", "ended"]);
    expect(activities(runStarted("resumed", { driver: "relay" }))).toEqual(["idle"]);
  });

  test("[TL21] an agent that will not be initialized twice has started", () => {
    const [asks] = newRun() as [Said, Said];
    const { request_id } = JSON.parse(asks.text) as { request_id: string };
    const refused = { subtype: "error", request_id, error: "Already initialized" };
    const no = agent({ type: "control_response", response: refused });
    expect(play([init(), result(), asks, no]).state.normalize.activity).toBe("idle");
    expect(play([init(), asks]).state.normalize.activity).toBe("active");
  });
});

describe("everything", () => {
  test("[TL22] keep_alive makes nothing; all else makes at least one event", () => {
    expect(types([agent({ type: "keep_alive" })])).toEqual([]);
    for (const text of [
      "not json",
      "[1]",
      '{"type":"brand_new","x":1}',
      '{"type":"assistant","message":7}',
    ]) {
      expect(play([{ from: "agent", text }]).events).toMatchObject([
        { type: "opaque-received", raw: text },
      ]);
    }
  });

  test("[TL23] a result in a shape we do not know still ends the turn", () => {
    const said = [init(), bash("t1"), agent({ type: "result", duration_ms: "long" })];
    expect(types(said)).toContain("opaque-received");
    expect(types(said)).toContain("turn-ended");
  });
});
