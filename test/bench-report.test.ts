import { describe, expect, test } from "bun:test";
import { formatPage, formatPlot, formatTable } from "../bench/report/format.ts";
import { readResults } from "../bench/report/results.ts";

const lower =
  '{"benchmark":"agent","figure":"start to ready","unit":"ms","ours":109,"baseline":629,"baselineIs":"Claude Code","ratio":0.173,"bar":0.2,"ratios":[0.15,0.21],"passed":true}';
const missed =
  '{"benchmark":"host: lines","unit":"events per CPU-second","ours":100,"baseline":90,"baselineIs":"a | b","ratio":1.11,"bar":1.5,"better":"higher","passed":false}';
const results = [lower, missed].flatMap((line) => readResults("agent", line));

describe("the report of all benchmarks", () => {
  test("reads every figure that a benchmark prints, and nothing else", () => {
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({
      figure: "start to ready",
      isFloor: false,
      spread: [0.15, 0.21],
    });
    expect(results[1]).toMatchObject({ figure: "host: lines", isFloor: true, passed: false });
    expect(readResults("web", "building…")).toEqual([]);
    expect(readResults("web", '{"note":1}')).toEqual([]);
    expect(readResults("web", '{"benchmark":"web","runtime":"bun","passed":true}')).toEqual([]);
    const many = `{"passed":true,"unit":"µs","compared":[${lower},${missed}]}`;
    expect(readResults("timeline", many)).toHaveLength(2);
  });

  test("says which bar was missed, in the table, the page and the plot", () => {
    const rows = formatTable(results).split("\n");
    expect(rows[1]).toMatch(/^ok .*109 ms .*0\.173 +0\.15–0\.21 +≤ 0\.2$/);
    expect(rows[2]).toMatch(/^MISSED .*≥ 1\.5$/);
    const run = { date: "2026-01-01", bun: "1.4.4", cores: 2, system: "linux-x64" };
    expect(formatPage(results, run)).toContain("| a \\| b | MISSED |");
    expect(formatPlot(results).match(/<rect/g)).toHaveLength(2);
  });
});
