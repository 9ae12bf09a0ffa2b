import { expect, test } from "bun:test";
import {
  summarizeTaskEnd,
  describeTaskEnd,
  taskKindLabel,
  joinProgress,
} from "../../src/panels/task-labels.ts";

test("[PG29] work in the background is named by what it is, also where its kind is new", () => {
  expect(["local_bash", "local_agent", "remote_thing", undefined].map(taskKindLabel)).toEqual([
    "command",
    "subagent",
    "remote thing",
    undefined,
  ]);
});

test("[PG29] how it ended has a word, and a command's exit code where it is not 0", () => {
  const words = ["completed", "failed", "killed", "stopped", "lost"].map(describeTaskEnd);
  expect(words.map(({ label }) => label)).toEqual(["done", "failed", "stopped", "stopped", "lost"]);
  expect(summarizeTaskEnd('Background command "Wait" completed (exit code 0)', "Wait")).toBe("");
  expect(summarizeTaskEnd('Background command "Wait" failed with exit code 12', "Wait")).toBe(
    "exit 12",
  );
  expect(summarizeTaskEnd("Wait", "Wait")).toBe("");
  expect(summarizeTaskEnd("I found two.", "Look")).toBe("I found two.");
});

test("how far it is says only what is known", () => {
  expect(joinProgress(["4 steps", undefined, ""])).toBe("4 steps");
});
