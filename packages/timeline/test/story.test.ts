import { describe, expect, test } from "bun:test";
import { recordings } from "@signalbox/testing/recordings";
import {
  agent,
  assistant,
  host,
  init,
  items,
  newRun,
  play,
  prompt,
  result,
  runEnded,
  type Said,
  stream,
  toolResult,
  toolUse,
  uuid,
} from "./play.ts";

const recorded = (story: string) => recordings().get(`${story}.ndjson`) ?? [];
const summary = (said: readonly Said[]) => play(said).state.reduce.summary;
const words = (text: string, more: object = {}) =>
  agent({ type: "user", uuid: uuid(), message: { role: "user", content: text }, ...more });
const counted = (costUsd: number, tokens: number) => ({
  total_cost_usd: costUsd,
  modelUsage: { opus: { inputTokens: tokens, outputTokens: 0 } },
  usage: { input_tokens: 100, output_tokens: 0 },
});

describe("what a turn cost", () => {
  const costs = (said: readonly Said[]) => items(said, "turn-end").map(({ costUsd }) => costUsd);

  test("[TL24] is its own, though the agent counts on from turn to turn", () => {
    const said = [init(), result(counted(0.1, 100)), init(), result(counted(0.3, 200))];
    expect(costs(said)).toEqual([0.1, 0.2]);
    expect(summary(said).costUsd).toBe(0.3);
  });

  test("[TL24] is its own, whether a later run counts on or begins anew", () => {
    const first = [init(), result(counted(0.1, 100))];
    const on = [...first, ...newRun(), init(), result(counted(0.3, 200))];
    const anew = [...first, ...newRun(), init(), result(counted(0.3, 100))];
    expect([costs(on), summary(on).costUsd]).toEqual([[0.1, 0.2], 0.3]);
    expect([costs(anew), summary(anew).costUsd]).toEqual([[0.1, 0.3], 0.4]);
  });

  test("[TL24] [TL38] is told right by both versions when a session is resumed", () => {
    expect(summary(recorded("2.1.325/resume")).costUsd).toBe(0.153088);
    expect(summary(recorded("2.1.7/resume")).costUsd).toBe(0.165384);
  });

  test("[TL24] has the tokens of a compaction and of the cache in it", () => {
    const { inputTokens, outputTokens } = summary(recorded("2.1.325/compaction-asked"));
    expect([inputTokens, outputTokens]).toEqual([40_092, 53]);
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 30 };
    expect(summary([init(), result({ usage })]).cacheTokens).toBe(30);
  });

  test("[TL24] has all tokens that its cost is of, also where the result leaves some out", () => {
    const ends = items(recorded("2.1.7/compaction-asked"), "turn-end");
    expect(ends.map(({ inputTokens }) => inputTokens)).toEqual([18_302, 2052, 18_580]);
    const { inputTokens, outputTokens } = summary(recorded("2.1.7/compaction-asked"));
    expect([inputTokens, outputTokens]).toEqual([38_934, 53]); // as its last result counts them
    expect(summary(recorded("2.1.7/subagent-foreground")).inputTokens).toBe(58_694);
    const resumed = items(recorded("2.1.7/resume"), "turn-end");
    expect(resumed.map(({ inputTokens }) => inputTokens)).toEqual([18_301, 18_344, 18_388]);
  });
});

test("[TL24] a turn has the steps that the model took in it, and a command has none", () => {
  const steps = (said: readonly Said[]) => items(said, "turn-end").map((end) => end.modelTurns);
  expect(steps(recorded("2.1.7/slash-command"))).toEqual([0, 0, 1, 0]);
  expect(steps(recorded("2.1.7/compaction-asked"))).toEqual([1, 0, 1]);
  expect(steps(recorded("2.1.7/api-error"))).toEqual([1]);
  expect(steps([init(), result({ num_turns: undefined })])).toEqual([undefined]);
});

describe("the last good message", () => {
  const last = (said: readonly Said[]) => items(said, "turn-end").at(-1)?.lastUuid;
  const said = [prompt("hi", "u1"), init()];
  const text = (id: string) => assistant(id, { type: "text", text: "x" }, { uuid: id });
  const failed = { subtype: "error_during_execution", is_error: true };

  test("[TL3] is not one of a turn that failed or was interrupted", () => {
    const interrupt = words("[Request interrupted by user]", { uuid: "u2" });
    expect(last([...said, text("a1"), result(failed)])).toBe("u1");
    expect(last([...said, text("a1"), interrupt, result(failed)])).toBe("u1");
    expect(last(recorded("2.1.325/api-error"))).toStartWith("fc17d5d8");
  });

  test("[TL3] never goes back: a tool's result is later than its call", () => {
    const turn = [toolUse("t1", "Bash", {}), toolResult("t1", "x", { uuid: "u3" })];
    expect(last([...said, ...turn, result(failed)])).toBe("u3");
    expect(last([...said, ...turn, result()])).toBe("u3");
  });

  test("[TL3] is none of what a command leaves behind", () => {
    const output = words("<local-command-stdout>$0</local-command-stdout>", { isReplay: true });
    const turn = [...said, text("a1"), result(), prompt("/cost"), init(), output, result()];
    expect(last(turn)).toBe("a1");
  });

  test("[TL3] is no prompt that the agent never took up, and none that is only sent again", () => {
    const gone = [...said, result(), prompt("more", "u4"), runEnded("crashed")];
    expect(play(gone).state.normalize.lastUuid).toBe("u1");
    const again = [...said, text("a1"), result(), prompt("hi", "u1")];
    expect(play(again).state.normalize.lastUuid).toBe("a1");
  });
});

describe("prompts", () => {
  const bare = (content: string) =>
    host({ type: "user", message: { role: "user", content }, session_id: "" });

  test("[TL51] without a uuid are known again by their words", () => {
    const said = [bare("hi"), init(), words("hi", { isReplay: true }), result()];
    expect(items(said, "prompt")).toMatchObject([{ content: "hi", arrived: true }]);
  });

  test("[TL51] that are commands are shown once, however they are printed back", () => {
    for (const story of ["2.1.7/slash-command", "2.1.325/slash-command"]) {
      const shown = items(recorded(story), "prompt");
      expect(shown.map(({ content }) => content)).toEqual([
        "/cost",
        "/context",
        "/greet Ada",
        "/nonsense",
      ]);
      expect(shown.every(({ arrived }) => arrived)).toBe(true);
    }
  });

  test("[TL52] belong to the turn that they cause, and to one that they are said into", () => {
    const said = [
      prompt("one", "u1"),
      init(),
      result(),
      prompt("two", "u2"),
      init(),
      prompt("three", "u3"),
    ];
    const told = [...said, words("three", { uuid: "u3", isReplay: true }), result()];
    expect(items(told, "prompt").map(({ turn }) => turn)).toEqual([1, 2, 2]);
  });

  test("[TL52] have arrived when their turn is over, also where nothing is printed back", () => {
    expect(items([prompt("one"), init(), result()], "prompt")).toMatchObject([{ arrived: true }]);
  });

  test("[TL52] whose run died wait to be sent again, and are shown once", () => {
    const dead = [init(), result(), prompt("more", "u1"), runEnded("crashed")];
    expect(items(dead, "prompt")).toMatchObject([{ arrived: false }]);
    const again = [...dead, ...newRun(), prompt("more", "u1"), init()];
    const echo = words("more", { uuid: "u1", isReplay: true });
    expect(items([...again, echo], "prompt")).toMatchObject([{ arrived: true, turn: 2 }]);
    const causes = play([...again, echo]).events.filter(({ type }) => type === "turn-started");
    expect(causes.at(-1)).toMatchObject({ cause: "prompt" });
  });

  test("[TL52] end in the state that the agent tells last", () => {
    const states = items(recorded("2.1.325/plain-turn"), "prompt").map(({ state }) => state);
    expect(states).toEqual(["completed", "completed"]);
  });

  test("[TL53] are none of the program's own words in the user's name", () => {
    for (const [story, said] of recordings()) {
      for (const { content, origin } of items(said, "prompt")) {
        if (origin === "person")
          expect(JSON.stringify(content), story).not.toMatch(/^"?<|^"This s/);
      }
    }
    const compacted = items(recorded("2.1.7/compaction-asked"), "compaction");
    expect(compacted).toMatchObject([
      { state: "done", summary: expect.stringContaining("summary") },
    ]);
  });

  test("[TL54] that are queued do not cause the turn before theirs", () => {
    const queued = agent({ type: "command_lifecycle", command_uuid: "u2", state: "queued" });
    const started = agent({ type: "command_lifecycle", command_uuid: "u2", state: "started" });
    const said = [
      prompt("one", "u1"),
      init(),
      words("one", { uuid: "u1", isReplay: true }),
      prompt("two", "u2"),
      queued,
      result(),
      init(),
      result(),
      started,
      init(),
    ];
    const causes = play(said).events.flatMap((event) =>
      event.type === "turn-started" ? [event.cause] : [],
    );
    expect(causes).toEqual(["prompt", "agent", "prompt"]);
  });

  test("[TL54] that wait while a task reports do not cause the turn about the report", () => {
    const report = agent({
      type: "system",
      subtype: "task_notification",
      task_id: "b1",
      status: "completed",
      uuid: uuid(),
    });
    const about = result({ origin: { kind: "task-notification" } });
    const waiting = [bare("one"), init(), result(), bare("two"), report, init(), about];
    expect(items(waiting, "prompt")).toMatchObject([{ arrived: true }, { arrived: false }]);
    expect(play(waiting).state.normalize.activity).toBe("active");
    const { events, items: all } = play([...waiting, init(), result()]);
    expect(all.filter(({ kind }) => kind === "prompt")).toMatchObject([
      { turn: 1, arrived: true },
      { turn: 3, arrived: true },
    ]);
    const causes = events.flatMap((event) => (event.type === "turn-started" ? [event.cause] : []));
    expect(causes).toEqual(["prompt", "agent", "prompt"]);
    // One that was sent after the report is as good a cause as ever.
    const later = play([bare("one"), init(), result(), report, bare("two"), init()]).events;
    expect(later.findLast(({ type }) => type === "turn-started")).toMatchObject({
      cause: "prompt",
    });
  });

  test("[TL52] have arrived before the turn's end is told", () => {
    const types = play([bare("one"), init(), result()]).events.map(({ type }) => type);
    expect(types.indexOf("user-replayed")).toBeLessThan(types.indexOf("turn-ended"));
  });
});

describe("asks, calls and tasks", () => {
  const ask = (input: object) =>
    agent({
      type: "control_request",
      request_id: "q1",
      request: { subtype: "can_use_tool", tool_name: "Bash", input, tool_use_id: "t1" },
    });
  const answer = (response: object) =>
    host({
      type: "control_response",
      response: { subtype: "success", request_id: "q1", response },
    });

  test("[TL29] an edited input is shown by ask and call, before the call has run and after", () => {
    const updatedInput = { command: "ls -l" };
    const said = [
      init(),
      toolUse("t1", "Bash", { command: "ls" }),
      ask({ command: "ls" }),
      answer({ behavior: "allow", updatedInput }),
    ];
    for (const log of [said, [...said, toolResult("t1", "a.txt")]]) {
      expect(items(log, "ask")).toMatchObject([
        { input: updatedInput, inputBefore: { command: "ls" }, title: "ls -l" },
      ]);
      expect(items(log, "tool")).toMatchObject([{ title: "ls -l", payload: { command: "ls -l" } }]);
    }
    const edited = items(recorded("2.1.325/tool-edited"), "tool")[0];
    const asked = items(recorded("2.1.325/tool-edited"), "ask")[0];
    expect(edited?.payload).toMatchObject(asked?.input as object);
  });

  test("[TL29] a plan that was edited before it was approved has the plan before it", () => {
    const plan = (text: string) => ({ plan: text });
    const request = {
      subtype: "can_use_tool",
      tool_name: "ExitPlanMode",
      input: plan("1. Run"),
      tool_use_id: "t1",
    };
    const log = [
      init(),
      toolUse("t1", "ExitPlanMode", plan("1. Run")),
      agent({ type: "control_request", request_id: "q1", request }),
      answer({ behavior: "allow", updatedInput: plan("1. Walk") }),
    ];
    expect(items(log, "ask")).toMatchObject([
      { ask: "plan", input: plan("1. Walk"), inputBefore: plan("1. Run") },
    ]);
  });

  test("[TL29] an ask that nobody changed has no input before it", () => {
    const log = [
      init(),
      toolUse("t1", "Bash", { command: "ls" }),
      ask({ command: "ls" }),
      answer({ behavior: "allow", updatedInput: { command: "ls" } }),
    ];
    expect(items(log, "ask")[0]).not.toHaveProperty("inputBefore");
  });

  test("[TL29] the answer is told before what it changes", () => {
    const edit = answer({ behavior: "allow", updatedInput: { command: "ls -l" } });
    const said = [init(), toolUse("t1", "Bash", { command: "ls" }), ask({ command: "ls" }), edit];
    const types = play(said).events.map(({ type }) => type);
    expect(types.slice(-3)).toEqual(["permission-answered", "tool-updated", "activity-changed"]);
  });

  test("[TL29] a call shows what is asked about it, which nobody has changed by allowing it", () => {
    const input = { command: "/bin/ls" };
    const asked = [init(), toolUse("t1", "Bash", { command: "ls" }), ask(input)];
    expect(items(asked, "tool")).toMatchObject([{ title: "/bin/ls", payload: input }]);
    const said = [...asked, answer({ behavior: "allow", updatedInput: input })];
    const answered = play(said).events.findLast(({ type }) => type === "permission-answered");
    expect(answered).toEqual({ type: "permission-answered", requestId: "q1", behavior: "allow" });
    // An ask that does not say leaves the call as it is.
    const silent = [init(), toolUse("t1", "Bash", { command: "ls" }), ask({})];
    expect(items(silent, "tool")).toMatchObject([{ title: "ls" }]);
  });

  test("[TL13] a call that was refused has the words of the person, of both versions", () => {
    for (const version of ["2.1.7", "2.1.325"]) {
      const said = recorded(`${version}/tool-denied-and-stopped`);
      const refused = { status: "denied", payload: { error: "Stop here." } };
      expect(items(said, "tool")).toMatchObject([refused]);
      expect(items(said, "ask")).toMatchObject([{ behavior: "deny", interrupt: true }]);
    }
    const plain = items(recorded("2.1.325/tool-denied"), "ask");
    expect(plain[0]).not.toHaveProperty("interrupt");
  });

  test("[TL88] a mode that is granted along with it holds at once, of both versions", () => {
    const setMode = { type: "setMode", mode: "acceptEdits", destination: "session" };
    const grant = (behavior: string) =>
      summary([init(), ask({}), answer({ behavior, updatedPermissions: [setMode] })]).mode;
    expect([grant("allow"), grant("deny")]).toEqual(["acceptEdits", "default"]);
    for (const version of ["2.1.7", "2.1.325"]) {
      const types = play(recorded(`${version}/tool-allowed-always`)).events.map(({ type }) => type);
      const at = types.indexOf("permission-answered");
      expect(types[at + 1]).toBe("mode-changed");
      expect(types.lastIndexOf("mode-changed")).toBe(at + 1);
    }
  });

  test("[TL29] the rules that were granted along with it are kept", () => {
    const granted = [{ type: "setMode", mode: "acceptEdits" }];
    const said = [init(), ask({}), answer({ behavior: "allow", updatedPermissions: granted })];
    expect(items(said, "ask")).toMatchObject([{ granted }]);
  });

  test("[TL20] an ask says what it is for", () => {
    const [asked] = items(recorded("2.1.325/tool-allowed"), "ask");
    expect(asked).toMatchObject({ title: "touch made.txt", description: "Create an empty file" });
  });

  test("[TL13] a call that a person refused is denied on every version", () => {
    for (const version of ["2.1.7", "2.1.325"]) {
      const [tool] = items(recorded(`${version}/tool-denied`), "tool");
      expect([version, tool?.status]).toEqual([version, "denied"]);
    }
  });

  test("[TL27] a call that was stopped is interrupted on every version", () => {
    for (const version of ["2.1.7", "2.1.325"]) {
      for (const story of ["interrupt-open-permission", "subagent-interrupted"]) {
        const [tool] = items(recorded(`${version}/${story}`), "tool");
        expect([version, story, tool?.status]).toEqual([version, story, "interrupted"]);
      }
    }
  });

  test("[TL26] a subagent for which its call waits is no background task", () => {
    for (const story of ["subagent-foreground", "nested-subagents"]) {
      expect(items(recorded(`2.1.325/${story}`), "task"), story).toEqual([]);
    }
  });

  test("[TL26] a task keeps its name while it tells what it does", () => {
    const task = (subtype: string, more: object) =>
      agent({ type: "system", subtype, task_id: "a", tool_use_id: "t1", ...more });
    const said = [
      init(),
      task("task_started", { description: "Look around" }),
      task("task_progress", { description: "Running ls" }),
    ];
    expect(items(said, "task")).toMatchObject([
      { description: "Look around", progress: "Running ls" },
    ]);
  });

  test("[TL26] tasks are known from results and words, where the agent has no messages for them", () => {
    const said = recorded("2.1.7/background-shell");
    expect(items(said, "task")).toMatchObject([{ status: "killed" }]);
    expect(summary(said).tasks).toEqual([]);
    const statuses = play(said).events.flatMap((event) =>
      event.type === "tasks-changed" ? [event.tasks.length] : [],
    );
    expect(statuses).toEqual([1, 0]);
  });
});

describe("compaction and failure", () => {
  const usage = { usage: { input_tokens: 5000, output_tokens: 0 } };
  const boundary = (more: object) =>
    agent({ type: "system", subtype: "compact_boundary", compact_metadata: more, uuid: uuid() });

  test("[TL28] after a compaction the count is not the old one", () => {
    const said = [init(), assistant("m1", { type: "text", text: "x" }, usage), result()];
    expect(summary(said).context?.used).toBe(116);
    expect(summary([...said, boundary({ post_tokens: 20 })]).context?.used).toBe(20);
    expect(summary([...said, boundary({})])).not.toHaveProperty("context");
  });

  test("[TL25] what the model's side refused is told once, by the end of the turn", () => {
    for (const story of ["2.1.325/api-error", "2.1.7/api-error", "2.1.7/refusal"]) {
      const { items: shown, events } = play(recorded(story));
      const end = shown.find(({ kind }) => kind === "turn-end") as { error?: string } | undefined;
      const error = JSON.stringify(end?.error).slice(1, -1);
      expect(error.length, story).toBeGreaterThan(10);
      expect(JSON.stringify(shown).split(error), story).toHaveLength(2);
      expect(
        events.filter(({ type }) => type === "turn-failed"),
        story,
      ).toHaveLength(1);
    }
  });

  test("[TL25] a failure that the turn outlives is not lost", () => {
    const error = assistant(
      "m1",
      { type: "text", text: "API Error: 529" },
      { error: "overloaded" },
    );
    const line = JSON.parse(error.text) as { message: { model: string } };
    line.message.model = "<synthetic>";
    expect(items([init(), agent(line), result()], "notice").at(-1)).toMatchObject({
      level: "error",
      text: "API Error: 529",
    });
  });

  test("[TL21] a session is active from the prompt to the result", () => {
    const activity = (said: readonly Said[]) => summary(said).status;
    const sent = [init(), result(), prompt("/compact")];
    const status = (value: string | null) =>
      agent({ type: "system", subtype: "status", status: value });
    expect(activity(sent)).toBe("active");
    expect(activity([...sent, status("compacting"), status(null)])).toBe("active");
    expect(activity([...sent, init(), result()])).toBe("idle");
  });

  test("[TL7] what a relay prints again opens no turn", () => {
    const { state } = play(recorded("2.1.118/sdk-url-relay"));
    expect(state.reduce.summary.turns).toBe(1);
    expect(state.normalize.inTurn).toBe(false);
  });

  test("[TL7] a long turn that is printed again is recognised to its beginning", () => {
    const turn = [init({ uuid: uuid() })];
    for (let i = 0; i < 120; i++) turn.push(assistant(`m${i}`, { type: "text", text: `${i}` }));
    const before = play(turn);
    expect(play(turn, before).items).toEqual(before.items);
  });

  test("[TL5] a message ends once", () => {
    const end = stream({ type: "message_delta", delta: { stop_reason: "end_turn" } });
    const said = [init(), end, stream({ type: "message_stop" })];
    expect(play(said).events.filter(({ type }) => type === "message-ended")).toHaveLength(1);
  });
});
