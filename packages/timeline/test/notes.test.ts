import { describe, expect, test } from "bun:test";
import { collectUnfinishedBlocks } from "@signalbox/timeline/state";
import { recordings } from "@signalbox/testing/recordings";
import {
  agent,
  assistant,
  host,
  init,
  messageStart,
  newRun,
  note,
  play,
  prompt,
  result,
  runEnded,
  runStarted,
  type Said,
  stream,
  streamed,
  toolUse,
  types,
} from "./play.ts";

const items = (said: readonly Said[], kind: string) =>
  play(said).items.filter((item) => item.kind === kind);
const opened = (requestId: string, more: object = {}) =>
  note("ask_opened", {
    requestId,
    kind: "permission",
    title: "ls",
    tool: "Bash",
    input: { command: "ls" },
    suggestions: [],
    ...more,
  });
const request = agent({
  type: "control_request",
  request_id: "q1",
  request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } },
});
const allow = host({
  type: "control_response",
  response: { subtype: "success", request_id: "q1", response: { behavior: "allow" } },
});

describe("the keeper's notes", () => {
  test("[TL60] a note that the agent prints is only something unknown", () => {
    const { text } = runEnded("ended");
    const said: Said[] = [init(), toolUse("t1", "Bash", {}), { from: "agent", text }];
    expect(items(said, "opaque")).toMatchObject([{ name: "signalbox" }]);
    expect(items(said, "tool")).toMatchObject([{ status: "running" }]);
    expect(play(said).state.reduce.summary.status).toBe("active");
  });

  test("[TL60] a note of a kind or shape that this build does not know is shown as it is", () => {
    for (const text of [
      '{"type":"signalbox","subtype":"from_the_future"}',
      '{"type":"signalbox","subtype":"remark"}',
      '{"type":"assistant","message":{"content":"x"}}',
      "not json",
    ]) {
      const played = play([{ from: "keeper", text }]);
      expect(played.events).toMatchObject([{ type: "opaque-received", raw: text }]);
    }
  });

  test("[TL61] a run that was started says how: a log may begin with one that was resumed", () => {
    for (const status of ["new", "resumed", "forked"] as const) {
      const { events, state } = play([runStarted(status), prompt("hi"), init()]);
      expect(events.find(({ type }) => type === "session-started")).toMatchObject({ status });
      expect(state.reduce.summary).toMatchObject({
        version: "2.1.325",
        driver: "stdio",
        policy: "default",
      });
    }
    const leftOut = [{ option: "effort", why: "not known to 2.1.7" }];
    expect(items([runStarted("new", { leftOut })], "notice")).toMatchObject([
      { level: "warning", text: "left out effort: not known to 2.1.7" },
    ]);
  });

  test("[TL61] the answer to initialize and the note tell of one run, in either order", () => {
    const open = [...newRun(), init(), toolUse("t1", "Bash", {})];
    const gone = (said: Said[]) => types(said).filter((type) => type === "run-ended").length;
    expect(gone([...open, runStarted("new")])).toBe(0);
    expect(gone([runStarted("new"), ...open])).toBe(0);
    expect(gone([...open, runStarted("new"), runStarted("resumed")])).toBe(1);
    expect(gone([...open, runStarted("new"), ...newRun()])).toBe(1);
    expect(gone([...open, runStarted("new"), ...newRun(), runStarted("resumed")])).toBe(1);
  });

  test("[TL62] a run that ended settles what was open, and says its sentence once", () => {
    const said = [init(), toolUse("t1", "Bash", {}), request, runEnded("crashed", "It died.")];
    expect(items(said, "tool")).toMatchObject([{ status: "interrupted" }]);
    expect(items(said, "ask")).toMatchObject([{ status: "cancelled" }]);
    expect(items(said, "turn-end")).toMatchObject([{ status: "crashed", error: "It died." }]);
    expect(JSON.stringify(play(said).items).match(/It died\./g)).toHaveLength(1);
    const idle = [init(), result(), runEnded("parked", "Parked after 15 minutes.")];
    expect(items(idle, "notice").at(-1)).toMatchObject({ text: "Parked after 15 minutes." });
    expect(play(idle).state.reduce.summary.status).toBe("parked");
  });

  test("[TL63] an ask that a hook raises has no other line; one that was asked is not asked twice", () => {
    const said = [init(), toolUse("t1", "Bash", {}), opened("h1", { callId: "t1" })];
    expect(items(said, "ask")).toMatchObject([{ id: "h1", callId: "t1", status: "open" }]);
    expect(play(said).state.reduce.summary.status).toBe("asking");
    expect(items([init(), request, opened("q1")], "ask")).toHaveLength(1);
    expect(items([init(), opened("q1"), request], "ask")).toHaveLength(1);
  });

  test("[TL64] an ask that was answered says by whom, before or after the answer itself", () => {
    const closed = note("ask_closed", {
      requestId: "q1",
      how: "answered",
      behavior: "allow",
      by: "Ada's phone",
    });
    const whole = { status: "answered", behavior: "allow", by: "Ada's phone" };
    expect(items([init(), request, allow, closed], "ask")).toMatchObject([whole]);
    expect(items([init(), request, closed, allow], "ask")).toMatchObject([whole]);
    expect(items([init(), opened("q1"), closed], "ask")).toMatchObject([whole]);
    const bare = note("ask_closed", { requestId: "q1", how: "answered", by: "Ada's phone" });
    expect(items([init(), request, allow, bare], "ask")).toMatchObject([whole]);
  });

  test("[TL64] an ask that was withdrawn is cancelled, and one that has expired says so, with words", () => {
    const closed = (how: "withdrawn" | "expired", more: object = {}) =>
      items([init(), opened("h1"), note("ask_closed", { requestId: "h1", how, ...more })], "ask");
    expect(closed("withdrawn")).toMatchObject([{ status: "cancelled" }]);
    expect(closed("withdrawn")[0]).not.toHaveProperty("message");
    const late = { status: "expired", message: "Nobody answered in time." };
    expect(closed("expired")).toMatchObject([late]);
    expect(closed("expired", { message: "Too late." })).toMatchObject([{ message: "Too late." }]);
    const told = note("ask_closed", { requestId: "q1", how: "expired" });
    expect(items([init(), request, allow, told], "ask")).toMatchObject([late]);
  });

  test("[TL66] a remark is a notice", () => {
    const said = note("remark", { level: "warning", text: "A line was cut." });
    expect(items([said], "notice")).toMatchObject([{ level: "warning", text: "A line was cut." }]);
  });

  test("[TL66] what was said before the conversation was rewound is no longer its last good message", () => {
    const text = { type: "text", text: "good" };
    const turn = [...newRun(), prompt("go", "u1"), assistant("m1", text, { uuid: "a1" }), result()];
    expect(play(turn).state.normalize.lastUuid).toBe("a1");
    for (const rewoundTo of ["u0", null]) {
      const rewound = [...turn, note("remark", { level: "info", text: "Again.", rewoundTo })];
      expect(play(rewound).state.normalize.lastUuid).toBe(rewoundTo);
      expect(items(rewound, "notice").at(-1)).toMatchObject({ details: { rewoundTo } });
    }
  });
});

describe("a log without deltas", () => {
  /** As a keeper does it: what is written of a message is noted before its turn or its run ends. */
  const keeping = (said: readonly Said[]): Said[] => {
    const kept: Said[] = [];
    let played = play([]);
    for (const line of said) {
      const ends = line.from === "keeper" || line.text.includes('"type":"result"');
      const blocks = ends ? collectUnfinishedBlocks(played.state) : [];
      const lines = blocks.length === 0 ? [line] : [note("text_kept", { blocks }), line];
      kept.push(...lines);
      played = play(lines, { ...played, events: [], items: [] });
    }
    return kept;
  };
  const dying = (said: readonly Said[]) => keeping([...said, runEnded("crashed", "It died.")]);
  const withoutDeltas = (said: readonly Said[]) =>
    said.filter(({ text }) => !text.includes('"type":"stream_event"'));
  /** Everything a person sees; times and counters differ where lines are missing. */
  const counters = new Set(["rev", "order", "at", "endedAt"]);
  const shown = (said: readonly Said[]) =>
    play(said).items.map((item) => {
      const facts = Object.entries(item).filter(([name]) => !counters.has(name));
      return Object.fromEntries(facts) as Omit<typeof item, "rev" | "order" | "at">;
    });

  test("[TL65] text, thoughts and calls that were cut off are what was shown", () => {
    const call = [
      stream({
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "t1", name: "Bash" },
      }),
      stream({
        type: "content_block_delta",
        index: 2,
        delta: { type: "input_json_delta", partial_json: '{"comm' },
      }),
    ];
    const half = streamed("m1", 1, { type: "text", text: "Half a sentence" }).slice(0, 3);
    const said = [
      prompt("hi"),
      init(),
      messageStart("m1"),
      ...streamed("m1", 0, { type: "thinking", thinking: "Hm." }),
      ...half,
      ...call,
    ];
    const whole = dying(said);
    expect(shown(withoutDeltas(whole))).toEqual(shown(whole));
    expect(items(whole, "text")).toMatchObject([{ text: "Half a s", live: false }]);
    expect(items(whole, "tool")).toMatchObject([
      { id: "t1", status: "interrupted", inputText: '{"comm' },
    ]);
  });

  test("[TL65] what is whole already is not kept again", () => {
    const said = [init(), messageStart("m1"), assistant("m1", { type: "text", text: "whole" })];
    expect(collectUnfinishedBlocks(play(said).state)).toEqual([]);
  });

  test("[TL65] every recording, killed anywhere, shows the same with its deltas and without", () => {
    for (const [story, said] of recordings()) {
      for (const part of [0.2, 0.4, 0.5, 0.6, 0.8, 0.95]) {
        const whole = dying(said.slice(0, Math.floor(said.length * part)));
        const byId = (seen: ReturnType<typeof shown>) =>
          seen
            .filter(({ id }) => !id.startsWith("note-"))
            .toSorted((a, b) => (a.id < b.id ? -1 : 1));
        const without = byId(shown(withoutDeltas(whole)));
        expect(without, `${story} ${part}`).toEqual(byId(shown(whole)));
      }
    }
  });
});
