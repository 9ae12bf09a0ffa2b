import type { Item } from "@signalbox/timeline";
import { expect, test } from "bun:test";
import { findKnownLine } from "../../src/items/diff/known-lines.ts";

const call = (payload: object, status = "complete") =>
  ({ kind: "tool", status, payload }) as unknown as Item;
const read = (content: unknown, startLine?: number) =>
  call({ kind: "read_file", filePath: "/a", output: { content, startLine } });
const edit = (oldContent: string, newContent: string, status?: string) =>
  call({ kind: "modify_file", filePath: "/a", mutations: [{ oldContent, newContent }] }, status);

test("a text is found by its line in what was read", () => {
  expect(findKnownLine([read("one\ntwo\nthree")], "/a", "three")).toBe(3);
  expect(findKnownLine([read("one\ntwo", 41)], "/a", "two")).toBe(42);
});

test("later changes move the lines below them", () => {
  const calls = [read("one\ntwo\nthree"), edit("one", "one\nand a half")];
  expect(findKnownLine(calls, "/a", "three")).toBe(4);
});

test("a change that did not happen moves nothing", () => {
  const calls = [read("one\ntwo"), edit("one", "one\nand a half", "denied")];
  expect(findKnownLine(calls, "/a", "two")).toBe(2);
});

test("nothing is guessed where the file is not known", () => {
  expect(findKnownLine([], "/a", "two")).toBeUndefined();
  expect(findKnownLine([read("one")], "/b", "one")).toBeUndefined();
  expect(findKnownLine([read("one")], "/a", "two")).toBeUndefined();
  const cut = { $blob: "0", bytes: 9, characters: 9, head: "one", tail: "two" };
  expect(findKnownLine([read(cut)], "/a", "one")).toBeUndefined();
  expect(findKnownLine([read("one"), edit("nine", "ten")], "/a", "one")).toBeUndefined();
});
