import { expect, test } from "bun:test";
import { describeNeighbors } from "../../src/connect/neighbor-rows.ts";

test("[DC1] the dialog says who is there, and offers what can be done", () => {
  const rows = describeNeighbors([
    { port: 8765, kind: "hub", hub: "h", self: true },
    { port: 8766, kind: "hub", hub: "i" },
    { port: 8767, kind: "relay", agent: "none" },
    { port: 8768, kind: "relay", agent: "none", attached: "away" },
    { port: 8769, kind: "hub", hub: "j", attached: "away" },
  ]);
  expect(rows.map(({ action }) => action)).toEqual([
    undefined,
    "open",
    "attach",
    "detach",
    "detach",
  ]);
  expect(rows[2]?.label).toContain("no agent");
  expect(rows[3]?.label).toContain("Retrying");
  expect(rows[4]?.label).toContain("Signalbox hub now uses this port");
});
