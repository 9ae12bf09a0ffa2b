import { expect, test } from "bun:test";
import { findKeyTarget } from "../../src/terminal/terminal-keys.ts";

const press = (code: string, modifiers: Partial<Record<string, boolean>> = {}) => ({
  code,
  key: code.replace(/^Key/, "").toLowerCase().replace("arrowup", "ArrowUp"),
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

test("[TM21] the program gets nearly every key, also those that the page uses elsewhere", () => {
  for (const code of ["KeyA", "KeyF", "KeyK", "KeyB", "KeyC", "KeyV", "KeyD"]) {
    expect(findKeyTarget(press(code, { ctrlKey: true }), false)).toBe("program");
  }
  expect(findKeyTarget(press("KeyN", { altKey: true }), false)).toBe("program");
  expect(findKeyTarget(press("ArrowUp"), false)).toBe("program");
});

test("[TM21] the page keeps Ctrl+J, Alt with an arrow, and on a Mac everything with Cmd", () => {
  expect(findKeyTarget(press("KeyJ", { ctrlKey: true }), false)).toBe("page");
  expect(findKeyTarget(press("ArrowUp", { altKey: true }), false)).toBe("page");
  expect(findKeyTarget(press("KeyK", { metaKey: true }), true)).toBe("page");
  expect(findKeyTarget(press("KeyK", { metaKey: true }), false)).toBe("program");
});

test("[TM25] find, copy and paste have keys that no program gets", () => {
  const withShift = { ctrlKey: true, shiftKey: true };
  expect(findKeyTarget(press("KeyF", withShift), false)).toBe("find");
  expect(findKeyTarget(press("KeyC", withShift), false)).toBe("copy");
  expect(findKeyTarget(press("KeyV", withShift), false)).toBe("paste");
  expect(findKeyTarget(press("KeyF", { metaKey: true }), true)).toBe("find");
});
