import type { Item } from "@signalbox/client";
import { expect, test } from "bun:test";
import { findMatches, listCutBodies } from "../../src/conversation/find-matches.ts";

const cut = { $blob: "hash", bytes: 50_000, characters: 50_000, head: "begin", tail: "end" };
const items: Record<string, unknown> = {
  one: { id: "one", kind: "text", text: "A needle." },
  two: { id: "two", kind: "tool", payload: { kind: "shell_exec", output: { stdout: cut } } },
};
const find = (id: string) => items[id] as Item | undefined;

test("[PG78] a text is found in the middle of a long one once that was fetched", () => {
  const ids = ["one", "two"];
  expect(listCutBodies(items["two"] as never)).toEqual([cut as never]);
  expect(findMatches(ids, find, "NEEDLE")).toEqual(["one"]);
  expect(findMatches(ids, find, "needle", () => "begin a needle end")).toEqual(["one", "two"]);
});
