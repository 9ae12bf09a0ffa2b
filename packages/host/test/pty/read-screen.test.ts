import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readScreen } from "../../src/drivers/pty/read-screen.ts";

const screens = join(import.meta.dir, "../../../../fixtures/screens");
const dialogs = ["trust", "permission", "write", "question", "exit-plan", "model-menu"];

describe.each(["2.1.325", "2.1.7"])("screens of Claude Code %s", (version) => {
  const read = (name: string) =>
    readScreen(readFileSync(join(screens, version, `${name}.txt`), "utf8"), version);

  test.each(dialogs)("[PT9] %s: a dialog waits, and nothing may be typed", (name) => {
    expect(read(name)).toEqual({ isAsking: true, hasInput: false, draft: "" });
  });

  test("[PT9] the field for messages is found, with what somebody has begun to write", () => {
    expect(read("ready")).toEqual({ isAsking: false, hasInput: true, draft: "" });
    expect(read("draft")).toEqual({
      isAsking: false,
      hasInput: true,
      draft: "something that is not sent yet\nin two lines",
    });
  });
});

test("[PT9] while Claude Code works, messages can be typed", () => {
  const text = readFileSync(join(screens, "2.1.325/working.txt"), "utf8");
  expect(readScreen(text, "2.1.325")).toEqual({ isAsking: false, hasInput: true, draft: "" });
});

test("[PT9] a suggestion, which is printed dim, is no draft", () => {
  const rule = "─".repeat(40);
  const screen = (field: string) => [rule, `❯ ${field}`, rule, "  ? for shortcuts"].join("\n");
  expect(readScreen(screen("Try something"), "2.1.325", screen("")).draft).toBe("");
});

test("[PT9] text of the agent that looks like a dialog is none while the field for messages is there", () => {
  const rule = "─".repeat(40);
  const text = ["● Do you want to proceed?", "❯ 1. Yes", rule, "❯ ", rule, "  ? for shortcuts"];
  expect(readScreen(text.join("\n"), "2.1.325")).toMatchObject({ isAsking: false, hasInput: true });
});
