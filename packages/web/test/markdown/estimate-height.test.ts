import { expect, test } from "bun:test";
import { estimateHeight } from "../../src/markdown/diagram/estimate-height.ts";

const flow = (way: string, edges: number) =>
  `flowchart ${way}\n${Array.from({ length: edges }, (_, nth) => ` a${nth} --> a${nth + 1}`).join("\n")}`;

test("[IV15] a diagram's room is told by its kind and its lines, and has bounds", () => {
  expect(estimateHeight("flowchart LR\n a --> b")).toBe(120);
  expect(estimateHeight(flow("TD", 5))).toBeGreaterThan(estimateHeight(flow("LR", 5)));
  expect(estimateHeight(flow("TD", 500))).toBe(520);
  expect(estimateHeight("")).toBe(280);
  const chatter = (lines: number) => `sequenceDiagram${"\n a->>b: x".repeat(lines)}`;
  expect(estimateHeight(chatter(4))).toBeGreaterThan(estimateHeight(chatter(2)));
});

test("[IV15] it is no less than the source had that stood there before", () => {
  const remarks = "%% a remark\n".repeat(20);
  expect(estimateHeight(`${remarks}flowchart LR\n a --> b`)).toBeGreaterThanOrEqual(20 * 18);
});
