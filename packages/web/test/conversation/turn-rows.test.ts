import { describe, expect, test } from "bun:test";
import { foldTurns, workKey } from "../../src/conversation/turn-rows.ts";

type Kind = "prompt" | "text" | "thinking" | "tool" | "turn-end" | "notice" | "compaction";

function fold(kinds: readonly Kind[], open: readonly string[] = []) {
  const items = kinds.map((kind, index) => ({ id: `${kind}-${index}`, kind }));
  const find = (id: string) => items.find((item) => item.id === id);
  const ids = items.map(({ id }) => id);
  return foldTurns(ids, find, (turnEnd) => open.includes(turnEnd)).rows;
}

describe("the work of a finished turn", () => {
  const turn = ["prompt", "thinking", "text", "tool", "tool", "text", "turn-end"] as const;

  test("folds into one row; prompt, answer and end stay", () => {
    expect(fold(turn)).toEqual(["prompt-0", workKey("turn-end-6"), "text-5", "turn-end-6"]);
  });

  test("is shown under its row while it is open", () => {
    expect(fold(turn, ["turn-end-6"])).toEqual([
      "prompt-0",
      workKey("turn-end-6"),
      "thinking-1",
      "text-2",
      "tool-3",
      "tool-4",
      "text-5",
      "turn-end-6",
    ]);
  });

  test("does not fold while the turn runs", () => {
    expect(fold(["prompt", "tool", "text"])).toEqual(["prompt-0", "tool-1", "text-2"]);
  });

  test("is none where no tool was called", () => {
    expect(fold(["prompt", "thinking", "text", "turn-end"])).toEqual([
      "prompt-0",
      "thinking-1",
      "text-2",
      "turn-end-3",
    ]);
  });

  test("leaves in sight what a person said in the middle, and a compaction", () => {
    const rows = fold(["prompt", "tool", "prompt", "compaction", "tool", "text", "turn-end"]);
    expect(rows).toEqual([
      "prompt-0",
      workKey("turn-end-6"),
      "prompt-2",
      "compaction-3",
      "text-5",
      "turn-end-6",
    ]);
  });

  test("[PG23] leaves in sight what still runs in the background", () => {
    const items = [
      { id: "prompt", kind: "prompt" },
      { id: "over", kind: "tool", background: { status: "completed" } },
      { id: "running", kind: "tool", background: { status: "running" } },
      { id: "end", kind: "turn-end" },
    ] as const;
    const find = (id: string) => items.find((item) => item.id === id);
    const ids = items.map(({ id }) => id);
    expect(foldTurns(ids, find, () => false).rows).toEqual([
      "prompt",
      workKey("end"),
      "running",
      "end",
    ]);
  });

  test("may end without an answer, and notices after the answer do not hide it", () => {
    expect(fold(["prompt", "tool", "turn-end"])).toEqual([
      "prompt-0",
      workKey("turn-end-2"),
      "turn-end-2",
    ]);
    expect(fold(["prompt", "tool", "text", "notice", "turn-end"])).toEqual([
      "prompt-0",
      workKey("turn-end-4"),
      "text-2",
      "notice-3",
      "turn-end-4",
    ]);
  });

  test("leaves in sight what was shown while it ran in the background", () => {
    const items = turn.map((kind, index) => ({ id: `${kind}-${index}`, kind }));
    const find = (id: string) => items.find((item) => item.id === id);
    const ids = items.map(({ id }) => id);
    const closed = () => false;
    const { rows } = foldTurns(ids, find, closed, (id) => id === "tool-4");
    expect(rows).toEqual(["prompt-0", workKey("turn-end-6"), "tool-4", "text-5", "turn-end-6"]);
  });
});
