import { describe, expect, test } from "bun:test";
import { recordings } from "@signalbox/testing/recordings";
import {
  after,
  agent,
  assistant,
  init,
  messageStart,
  play,
  prompt,
  result,
  runEnded,
  type Said,
  shown,
  stream,
  system,
  toolResult,
  toolUse,
  uuid,
} from "./play.ts";

const status = (status: string | null, more: object = {}) => system("status", { status, ...more });
const boundary = () => system("compact_boundary", { compact_metadata: { trigger: "auto" } });

describe("compactions", () => {
  test("[TL67] one that takes long is told again and again, and is one item", () => {
    const said = [status("compacting"), status("compacting"), status("compacting")];
    const done = [...said, status(null, { compact_result: "success" }), boundary()];
    expect(shown(said, "compaction")).toMatchObject([{ state: "running" }]);
    expect(shown(done, "compaction")).toMatchObject([{ state: "done", trigger: "auto" }]);
    expect(after(...said).state.reduce.summary.status).toBe("compacting");
  });

  test("[TL67] one that failed has failed, also where nobody says why", () => {
    const said = [status("compacting"), status(null, { compact_result: "failed" })];
    expect(shown(said, "compaction")).toMatchObject([{ state: "failed" }]);
    expect(after(...said).state.reduce.open.some(({ kind }) => kind === "compaction")).toBe(false);
  });

  test("[TL67] one that never came to its end has failed when its turn is over, or the next begins", () => {
    const cut = () => [status("compacting"), status(null)];
    expect(shown([...cut(), result()], "compaction")).toMatchObject([{ state: "failed" }]);
    expect(shown([...cut(), ...cut(), result()], "compaction")).toMatchObject([
      { state: "failed" },
      { state: "failed" },
    ]);
    expect(after(...cut(), result()).state.reduce.open.map(({ kind }) => kind)).not.toContain(
      "compaction",
    );
  });
});

test("[TL7] [TL67] a compaction that is printed again, and a notice, are shown once", () => {
  const retry = system("api_retry", { attempt: 1, max_retries: 3, retry_delay_ms: 5 });
  const limit = agent({
    type: "rate_limit_event",
    rate_limit_info: { status: "rejected", rateLimitType: "five_hour" },
    uuid: uuid(),
  });
  const said = [init(), status("compacting"), status(null), boundary(), retry, limit, result()];
  const once = play(said);
  const twice = play([...said, ...said]);
  expect(twice.items).toEqual(once.items);
  expect(twice.state.normalize.activity).toBe("idle");
});

describe("subagents", () => {
  const task = toolUse("t1", "Task", { description: "d", prompt: "p" });
  const cutText = [
    messageStart("s1", "t1"),
    stream({ type: "content_block_start", index: 0, content_block: { type: "text" } }, "t1"),
    stream(
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half" } },
      "t1",
    ),
  ];
  const block = { type: "tool_use", id: "q1", name: "Bash" };
  const cutCall = [
    messageStart("s1", "t1"),
    stream({ type: "content_block_start", index: 0, content_block: block }, "t1"),
  ];
  const call = (lane: string) => toolUse("q1", "Bash", {}, { parent_tool_use_id: lane });

  test("[TL45] a text that was cut off is over with its call, and with its turn", () => {
    for (const end of [toolResult("t1", "stopped"), result()]) {
      const said = [task, ...cutText, end];
      expect(shown(said, "text")).toMatchObject([{ text: "half", live: false, parent: "t1" }]);
      expect(after(...said).state.normalize.messages.map(({ lane }) => lane)).not.toContain("t1");
    }
  });

  test("[TL45] a call that was cut off while it was written is interrupted", () => {
    for (const end of [toolResult("t1", "stopped"), result()]) {
      const calls = shown([task, ...cutCall, end], "tool");
      expect(calls).toMatchObject([{ id: "t1" }, { id: "q1", status: "interrupted" }]);
    }
  });

  test("[TL45] a call under one that is over, or that nobody knows, ends with the turn", () => {
    const late = [task, toolResult("t1", "done"), call("t1"), result()];
    expect(shown(late, "tool").map(({ status }) => status)).toEqual(["complete", "complete"]);
    const stray = [call("nobody"), result()];
    expect(shown(stray, "tool").map(({ status }) => status)).toEqual(["complete"]);
    expect(after(...stray).state.normalize.tools).toEqual([]);
  });

  test("[TL15] in the background it goes on, with what it is in the middle of", () => {
    const tasks = (...ids: string[]) =>
      system("background_tasks_changed", { tasks: ids.map((task_id) => ({ task_id })) });
    const launched = [
      toolUse("t1", "Task", { description: "d", prompt: "p", run_in_background: true }),
      system("task_started", { task_id: "a1", tool_use_id: "t1", description: "d" }),
      tasks("a1"),
      toolResult("t1", "Async agent launched successfully.\nagentId: a1"),
      call("t1"),
      ...cutText,
      result(),
    ];
    expect(shown(launched, "text")).toMatchObject([{ text: "half", live: true }]);
    expect(shown(launched, "tool")).toMatchObject([{ id: "t1" }, { id: "q1", status: "running" }]);
    const over = [...launched, system("task_notification", { task_id: "a1", status: "completed" })];
    expect(shown(over, "text")).toMatchObject([{ live: false }]);
    expect(shown(over, "tool")).toMatchObject([{ id: "t1" }, { status: "interrupted" }]);
  });
});

test("[TL46] hooks, tasks and commands of which nobody tells the end do not pile up", () => {
  const about = { hook_name: "n", hook_event: "Stop" };
  let played = play([]);
  for (let turn = 0; turn < 60; turn++) {
    const id = uuid();
    const task_id = `b${turn}`;
    played = play(
      [
        prompt("go", id),
        agent({ type: "command_lifecycle", command_uuid: id, state: "started", uuid: uuid() }),
        init(),
        system("hook_started", { ...about, hook_id: `h${turn}` }),
        system("task_started", { task_id, description: "d" }),
        system("task_updated", { task_id, patch: { status: "completed" } }),
        assistant(`m${turn}`, { type: "text", text: "x" }),
        result(),
      ],
      played,
    );
  }
  expect(played.state.reduce.open.length).toBeLessThanOrEqual(24);
  expect(play([runEnded("ended")], played).state.reduce.open).toEqual([]);
  const tasks = played.items.filter((item) => item.kind === "task");
  expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(["completed"]));
});

test("[TL27] a call that was stopped is interrupted in a log of the agent's lines alone as well", () => {
  const statuses = (said: readonly Said[]) =>
    play(said).items.flatMap((item) => (item.kind === "tool" ? [item.status] : []));
  let stopped = 0;
  for (const [story, said] of recordings()) {
    const whole = statuses(said);
    if (!whole.includes("interrupted") || !/interrupt/.test(story)) continue;
    stopped++;
    expect(statuses(said.filter(({ from }) => from === "agent")), story).toEqual(whole);
  }
  expect(stopped).toBeGreaterThan(3);
});
