import { expect, test } from "bun:test";
import { omitUnfinishedWord } from "../../src/markdown/complete-words.ts";

test("a growing text is shown up to its last complete word", () => {
  expect(omitUnfinishedWord("Each line is coun")).toBe("Each line is ");
  expect(omitUnfinishedWord("Each line is counted ")).toBe("Each line is counted ");
  expect(omitUnfinishedWord("Call `comm")).toBe("Call ");
  expect(omitUnfinishedWord("One.\n\n- tw")).toBe("One.\n\n- ");
});

test("a long run without spaces, and a script that has none, hide nothing", () => {
  const long = `A ${"x".repeat(80)}`;
  expect(omitUnfinishedWord(long)).toBe(long);
  expect(omitUnfinishedWord("東京に行きます")).toBe("東京に行きます");
});
