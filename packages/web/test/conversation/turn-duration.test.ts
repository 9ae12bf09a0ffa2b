import { expect, test } from "bun:test";
import type { Item } from "@signalbox/client";
import { turnDuration } from "../../src/conversation/turn-duration.ts";

const call = (id: string, waits: readonly { from: number; to?: number }[]) =>
  ({ kind: "tool", id, waits }) as unknown as Item;
const end = (id: string, at: number, durationMs: number) =>
  ({ kind: "turn-end", id, at, durationMs }) as unknown as Item;

test("a turn took as long as it worked: waiting for a person does not count, nor do waits of earlier turns", () => {
  const items = [
    call("earlier", [{ from: 100, to: 900 }]),
    end("first", 1000, 1000),
    call("one", [{ from: 1100, to: 1400 }]),
    call("other", [{ from: 1300, to: 1500 }]),
    end("second", 2000, 900),
  ];
  const ids = items.map(({ id }) => id);
  const view = { ids, item: (id: string) => items.find((item) => item.id === id) };
  expect(turnDuration(view, "second")).toBe(500);
  expect(turnDuration(view, "first")).toBe(200);
  expect(turnDuration(view, "one")).toBeUndefined();
});
