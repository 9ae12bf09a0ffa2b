import { expect, test } from "bun:test";
import { endSaid, endWords, kindWords, progressWords } from "../../src/panels/task-words.ts";

test("[PG29] work in the background is named by what it is, also where its kind is new", () => {
  expect(["local_bash", "local_agent", "remote_thing", undefined].map(kindWords)).toEqual([
    "command",
    "subagent",
    "remote thing",
    undefined,
  ]);
});

test("[PG29] how it ended has a word, and a command's exit code where it is not 0", () => {
  const words = ["completed", "failed", "killed", "stopped", "lost"].map(endWords);
  expect(words.map(({ word }) => word)).toEqual(["done", "failed", "stopped", "stopped", "lost"]);
  expect(endSaid('Background command "Wait" completed (exit code 0)', "Wait")).toBe("");
  expect(endSaid('Background command "Wait" failed with exit code 12', "Wait")).toBe("exit 12");
  expect(endSaid("Wait", "Wait")).toBe("");
  expect(endSaid("I found two.", "Look")).toBe("I found two.");
});

test("how far it is says only what is known", () => {
  expect(progressWords(["4 steps", undefined, ""])).toBe("4 steps");
});
