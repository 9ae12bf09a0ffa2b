import { describe, expect, test } from "bun:test";
import { readTranscript } from "../../src/sessions/read-transcript.ts";

type Line = { uuid: string; parentUuid: string | null; [field: string]: unknown };
let clock = 0;
const line = (uuid: string, parentUuid: string | null, more: object): Line => ({
  uuid,
  parentUuid,
  isSidechain: false,
  timestamp: new Date(clock++ * 1000).toISOString(),
  ...more,
});
const user = (uuid: string, parent: string | null, more: object = {}) =>
  line(uuid, parent, { type: "user", message: { role: "user", content: uuid }, ...more });
const block = (uuid: string, parent: string, id: string, content: object) =>
  line(uuid, parent, { type: "assistant", message: { role: "assistant", id, content: [content] } });
const says = (uuid: string, parent: string, more: object = {}) => ({
  ...block(uuid, parent, `msg_${uuid}`, { type: "text", text: uuid }),
  ...more,
});
const calls = (uuid: string, parent: string, answer: string) =>
  block(uuid, parent, answer, { type: "tool_use", id: uuid, name: "Bash", input: {} });
const result = (uuid: string, call: string) =>
  user(uuid, call, {
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: call, content: uuid }] },
  });
const named = (leafUuid: string) => ({ type: "last-prompt", leafUuid });

const read = (...lines: object[]) =>
  readTranscript(lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
const getUuids = (...lines: object[]) =>
  read(...lines)
    .conversation.map(({ uuid }) => uuid)
    .join(" ");

/** Three calls at once whose results came in another order. Each result is a child of its call. */
const parallel = [
  user("ask", null),
  calls("c1", "ask", "msg_1"),
  calls("c2", "c1", "msg_1"),
  result("r2", "c2"),
  calls("c3", "c2", "msg_1"),
  result("r3", "c3"),
  result("r1", "c1"),
];
const talk = [user("one", null), says("first", "one"), user("two", "first"), says("second", "two")];

describe("a transcript by Claude Code", () => {
  test("[AG33] parallel calls are all included, each with its result, wherever the conversation continues", () => {
    expect(getUuids(...parallel, says("done", "r1"))).toBe("ask c1 c2 c3 r2 r3 r1 done");
    expect(getUuids(...parallel, says("done", "r3"))).toBe("ask c1 c2 c3 r2 r1 r3 done");
    expect(getUuids(...parallel.slice(0, 4))).toBe("ask c1 c2 r2");
  });

  test("[AG33] rewound messages stay removed, with their calls and results", () => {
    const left = parallel.map((one) =>
      one.uuid === "ask" ? { ...one, parentUuid: "first" } : one,
    );
    const other = [user("other", "first"), says("reply", "other")];
    expect(getUuids(...talk.slice(0, 2), ...left, ...other)).toBe("one first other reply");
  });

  test("[AG33] the branch that the file names counts, with what follows it", () => {
    const other = [user("other", "first"), says("reply", "other")];
    expect(getUuids(...talk, ...other, named("second"))).toBe("one first two second");
    expect(getUuids(...talk, named("second"), ...other)).toBe("one first two second");
    expect(getUuids(...talk, named("second"), ...other, named("other"))).toBe(
      "one first other reply",
    );
    expect(getUuids(...talk, ...other, named("gone"))).toBe("one first other reply");
    expect(getUuids(...talk, named("two"))).toBe("one first two second");
  });

  test("[AG33] a named call or result among parallel ones includes the others", () => {
    for (const name of ["c3", "r3", "r2"]) {
      expect(getUuids(...parallel, named(name), says("done", "r1"))).toEndWith("r1 done");
    }
  });

  test("[AG33] messages that the file named before a compaction precede it", () => {
    const boundary = { type: "system", subtype: "compact_boundary", logicalParentUuid: "second" };
    const after = [line("cut", null, boundary), user("summary", "cut")];
    expect(getUuids(...talk, named("second"), ...after)).toBe("cut summary");
  });

  test("[AG33] a line whose parent is missing follows the latest; lines of other kinds link messages", () => {
    const [one, first, two] = talk as [Line, Line, Line];
    expect(getUuids(one, first, user("three", "lost"))).toBe("one first three");
    const progress = line("p", "first", { type: "progress" });
    expect(getUuids(one, first, progress, { ...two, parentUuid: "p" })).toBe("one first two");
  });

  test("[AG33] a cycle of parents ends", () => {
    expect(getUuids({ ...talk[0], parentUuid: "second" }, ...talk.slice(1))).toBe(
      "one first two second",
    );
  });
});
