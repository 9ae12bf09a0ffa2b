import { expect, test } from "bun:test";
import { roomFor } from "../../src/markdown/diagram/estimate-height.ts";

const flow = (way: string, edges: number) =>
  `flowchart ${way}\n${Array.from({ length: edges }, (_, nth) => ` a${nth} --> a${nth + 1}`).join("\n")}`;

test("[IV15] a diagram's room is told by its kind and its lines, and has bounds", () => {
  expect(roomFor("flowchart LR\n a --> b")).toBe(120);
  expect(roomFor(flow("TD", 5))).toBeGreaterThan(roomFor(flow("LR", 5)));
  expect(roomFor(flow("TD", 500))).toBe(520);
  expect(roomFor("")).toBe(280);
  const chatter = (lines: number) => `sequenceDiagram${"\n a->>b: x".repeat(lines)}`;
  expect(roomFor(chatter(4))).toBeGreaterThan(roomFor(chatter(2)));
});

test("[IV15] it is no less than the source had that stood there before", () => {
  const remarks = "%% a remark\n".repeat(20);
  expect(roomFor(`${remarks}flowchart LR\n a --> b`)).toBeGreaterThanOrEqual(20 * 18);
});
