import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { applyJsonChanges, findJsonChanges } from "../../src/session/json-changes.ts";

/** As the store gives it back. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

function roundTrip(before: unknown, after: unknown): unknown {
  const changes = findJsonChanges(before, after);
  return changes ? applyJsonChanges(stored(before), stored(changes) as never) : stored(before);
}

test("[LG30] whatever two values are, the changes make the second of the first", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(roundTrip(before, after)).toEqual(stored(after));
      expect(roundTrip({ part: before, same: 1 }, { part: after, same: 1 })).toEqual(
        stored({ part: after, same: 1 }),
      );
      expect(roundTrip([before, 1], [before, after, 2])).toEqual(stored([before, after, 2]));
    }),
    { numRuns: 500 },
  );
});

test.each([
  [{ a: 1 }, { a: undefined }],
  [{ a: undefined }, { a: 1 }],
  [JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":2}}')],
  [{}, JSON.parse('{"__proto__":{"x":2},"constructor":1}')],
  ["a", "ab"],
  ["", "a"],
  ["\ud83d", "\ud83d\ude00"],
  [[1, 2, 3], [1]],
  [[], [1]],
  [null, {}],
  [{}, []],
])("[LG30] also %j and %j", (before, after) => {
  expect(roundTrip(before, after)).toEqual(stored(after));
});

test("[LG30] what stayed the same is not among the changes", () => {
  const items = Array.from({ length: 1000 }, (_, nth) => ({ nth }));
  const before = { items, text: "x".repeat(10_000), rev: 1, gone: true };
  const after = { items: [...items, { nth: 1000 }], text: `${before.text}y`, rev: 2 };
  expect(findJsonChanges(before, after)).toEqual({
    fields: {
      items: { keep: 1000, add: [{ nth: 1000 }] },
      text: { keep: 10_000, add: "y" },
      rev: { set: 2 },
    },
    gone: ["gone"],
  });
  expect(findJsonChanges(before, { ...before })).toBeUndefined();
});
