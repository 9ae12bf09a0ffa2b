import { expect, test } from "bun:test";
import { isSameInput } from "../../src/control/call-check.ts";

test("[TS16] an input that the agent only completed counts as equal, and any other difference does not", () => {
  const same = (shown: unknown, ran: unknown) => isSameInput(shown, ran, "/work");
  expect(same({ command: "ls" }, { command: "ls" })).toBe(true);
  expect(same({ file_path: "a/b.txt" }, { file_path: "/work/a/b.txt", replace_all: false })).toBe(
    true,
  );
  expect(same({ command: "ls", timeout: "5" }, { command: "ls", timeout: 5 })).toBe(true);
  expect(same({ command: "ls" }, { command: "ls", run_in_background: true })).toBe(false);
  expect(same({ command: "ls" }, { command: "ls -l" })).toBe(false);
  expect(same({ command: "a" }, { command: "/work/a" })).toBe(false);
  expect(same({ file_path: "a" }, { file_path: "/etc/a" })).toBe(false);
  expect(same({ x: { y: 1 } }, { x: { y: 2 } })).toBe(false);
});
