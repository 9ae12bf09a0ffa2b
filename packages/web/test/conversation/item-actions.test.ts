import { describe, expect, test } from "bun:test";
import type { DisplayItem } from "../../src/text/body.ts";
import { forkPoint, hasActions, isRewindPoint } from "../../src/conversation/item-actions.ts";
import { parseRewind } from "../../src/session/rewind-answer.ts";

const item = (fields: object) => ({ id: "1", ...fields }) as unknown as DisplayItem;
const prompt = { kind: "prompt", content: "Go.", origin: "person", arrived: true };

describe("going back to an item", () => {
  const end = item({ kind: "turn-end", lastUuid: "last" });
  test("a fork goes on from the end of a turn", () => {
    expect(forkPoint(end)).toEqual({ from: { at: "last" }, text: "" });
    expect(forkPoint(item({ kind: "turn-end" }))).toBeUndefined();
  });
  test("or takes a message back, to be said differently", () => {
    expect(forkPoint(item(prompt))).toEqual({ from: { before: "1" }, text: "Go." });
    expect(forkPoint(item({ ...prompt, arrived: false }))).toBeUndefined();
  });
  test("nothing goes back to what a subagent was told", () => {
    expect(forkPoint(item({ ...prompt, parent: "call" }))).toBeUndefined();
    expect(isRewindPoint(item({ ...prompt, parent: "call" }))).toBe(false);
  });
  test("files go back to what a person said", () => {
    expect(isRewindPoint(item(prompt))).toBe(true);
    expect(isRewindPoint(item({ ...prompt, origin: "agent" }))).toBe(false);
  });
  test("what has no words and no place to go back to has no menu", () => {
    expect([hasActions(item({ kind: "hook" })), hasActions(item({ kind: "text" }))]).toEqual([
      false,
      true,
    ]);
  });
});

describe("the agent's answer about files", () => {
  test("is read as far as it goes", () => {
    const answer = { canRewind: true, filesChanged: ["/a", 1], insertions: 2, deletions: 1 };
    expect(parseRewind(answer)).toEqual({ can: true, files: ["/a"], insertions: 2, deletions: 1 });
    expect(parseRewind(null)).toEqual({ can: false, files: [], insertions: 0, deletions: 0 });
    expect(parseRewind({ canRewind: false, error: "none" }).why).toBe("none");
  });
});
