import { describe, expect, test } from "bun:test";
import type { JsonObject } from "@signalbox/protocol/wire";
import type { Prompt } from "../../src/agent.ts";
import { mergePrompts } from "../../src/loop/prompt.ts";
import { PromptQueue } from "../../src/loop/prompt-queue.ts";

/** Creates a prompt whose uuid is its text. */
const named = (content: Prompt["content"], line: JsonObject = {}): Prompt => {
  const uuid = typeof content === "string" ? content : "blocks";
  return { uuid, content, line: { uuid, ...line } };
};
const unnamed = (content: string): Prompt => ({
  uuid: `made up for ${content}`,
  content,
  line: {},
});

function createQueue(...prompts: Prompt[]): PromptQueue {
  const queue = new PromptQueue();
  for (const prompt of prompts) queue.add(prompt);
  return queue;
}

/** Runs the queue empty and returns the texts that begin each turn. */
function listTurns(queue: PromptQueue): unknown[] {
  const turns = [];
  for (let taken = queue.take(); taken.length > 0; taken = queue.take()) {
    turns.push(taken.map(({ content }) => content));
  }
  return turns;
}

describe("the prompt queue", () => {
  test("[AG13] prompts that wait together start one turn", () => {
    const queue = createQueue(named("a"), unnamed("b"), named("c"));
    expect(queue.uuids).toEqual(["a", "c"]);
    expect(listTurns(queue)).toEqual([["a", "b", "c"]]);
    expect(queue.length).toBe(0);
  });

  test("[AG13] commands, prompts without an answer and prompts of another sender have their own turns", () => {
    const quiet = { shouldQuery: false };
    const human = { origin: { kind: "human" } };
    expect(
      listTurns(createQueue(named("a"), named("b"), named("/c"), named("/d"), named("e"))),
    ).toEqual([["a", "b"], ["/c"], ["/d"], ["e"]]);
    const queue = createQueue(
      named("a"),
      named("b", { isSynthetic: true }),
      named("c", human),
      named("d", human),
      named("e", quiet),
      named("f", quiet),
      named("g"),
    );
    expect(queue.personPromptCount).toBe(2);
    expect(listTurns(queue)).toEqual([["a"], ["b"], ["c", "d"], ["e", "f"], ["g"]]);
  });

  test("[AG52] prompts that do not wait come first, later ones last", () => {
    const queue = createQueue(
      named("later", { priority: "later" }),
      named("next", { priority: "next" }),
      named("now", { priority: "now" }),
      named("whatever", { priority: "whatever" }),
      named("later still", { priority: "later" }),
    );
    expect(listTurns(queue)).toEqual([["now"], ["next", "whatever"], ["later", "later still"]]);
  });

  test("[AG23] of several notifications, the last is answered for all", () => {
    const news = (content: string) => named(content, { origin: { kind: "task-notification" } });
    const queue = createQueue(news("a"), news("b"), named("c"));
    const taken = [queue.take(), queue.take(), queue.take()].flat();
    expect(taken.map(({ content, line }) => [content, line["shouldQuery"]])).toEqual([
      ["a", false],
      ["b", undefined],
      ["c", undefined],
    ]);
  });

  test("[AG15] commands and later prompts do not join a turn", () => {
    const queue = createQueue(
      named("a"),
      named("/b"),
      named("c", { priority: "later" }),
      named("d"),
    );
    expect(queue.takeForRunningTurn().map(({ content }) => content)).toEqual(["a", "d"]);
    expect(queue.takeForRunningTurn()).toEqual([]);
    expect(listTurns(queue)).toEqual([["/b"], ["c"]]);
  });

  test("[AG14] a prompt with a known uuid is not accepted again, whether it waits or has run", () => {
    const queue = new PromptQueue(["stored"]);
    expect(queue.add(named("stored"))).toBe("is past");
    expect(queue.add(named("a"))).toBe("added");
    expect(queue.add(named("a"))).toBe("waits");
    expect(listTurns(queue)).toEqual([["a"]]);
    expect(queue.add(named("a"))).toBe("was here");
  });

  test("a waiting prompt can be withdrawn", () => {
    const queue = createQueue(named("a"), named("b"));
    expect(queue.withdraw("a")).toMatchObject({ content: "a" });
    expect(queue.withdraw("a")).toBeUndefined();
    expect(listTurns(queue)).toEqual([["b"]]);
  });
});

describe("combined prompts", () => {
  test("[AG13] texts become lines of one text, under the last name that a sender gave", () => {
    const one = mergePrompts([named("a"), named("b"), unnamed("c")]);
    expect(one).toMatchObject({ uuid: "b", content: "a\nb\nc" });
    const alone = unnamed("a");
    expect(mergePrompts([alone])).toBe(alone);
  });

  test("[AG13] with other blocks they become blocks, each text on its own line", () => {
    const image = { type: "image", source: {} };
    const text = (words: string) => ({ type: "text", text: words });
    const { content } = mergePrompts([
      named("a"),
      named([text("b"), image]),
      named("c"),
      named("d"),
    ]);
    expect(content).toEqual([text("a\n"), text("b"), image, text("c\n"), text("d")]);
  });
});
