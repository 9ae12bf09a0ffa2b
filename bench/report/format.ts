import type { BenchmarkResult } from "./results.ts";

interface Circumstances {
  readonly date: string;
  readonly bun: string;
  readonly cores: number;
  readonly system: string;
}

const headings = ["", "benchmark", "figure", "ours", "baseline", "ratio", "spread", "bar"];

export function formatTable(results: readonly BenchmarkResult[]): string {
  const rows = [headings, ...results.map(toCells)];
  const widths = headings.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function toCells(result: BenchmarkResult): string[] {
  const { benchmark, figure, unit, ours, baseline, ratio, bar, isFloor, spread } = result;
  return [
    result.passed ? "ok" : "MISSED",
    benchmark,
    figure,
    `${formatNumber(ours)} ${unit}`.trim(),
    formatNumber(baseline),
    formatNumber(ratio),
    spread ? spread.map(formatNumber).join("–") : "",
    bar === undefined ? "" : `${isFloor ? "≥" : "≤"} ${formatNumber(bar)}`,
  ];
}

/** The page with every figure of one run. The explanations stand in the benchmarks' own files. */
export function formatPage(results: readonly BenchmarkResult[], run: Circumstances): string {
  const names = [...new Set(results.map(({ benchmark }) => benchmark))];
  const sections = names.map((name) => {
    const rows = results.filter(({ benchmark }) => benchmark === name);
    const body = rows.map((row) => {
      const [state = "", , ...cells] = toCells(row);
      return `| ${[...cells, row.baselineIs, state].map(escapeCell).join(" | ")} |`;
    });
    return `## \`npm run bench:${name}\`

| figure | ours | baseline | ratio | spread | bar | the baseline is | |
|---|---|---|---|---|---|---|---|
${body.join("\n")}
`;
  });
  return `# Performance

Written by \`npm run bench -- --write\` on ${run.date}: Bun ${run.bun}, ${run.cores} cores, ${run.system}. Each figure stands beside a baseline of the same run. The ratio counts: it is what holds on slow and on fast machines.

![Each ratio beside its bar](performance.svg)

${sections.join("\n")}`;
}

const ROW_HEIGHT = 22;
const LABEL_WIDTH = 430;
const PLOT_WIDTH = 360;

/** How much of its bar each figure uses: a bar of the plot that ends left of the line has passed. */
export function formatPlot(results: readonly BenchmarkResult[]): string {
  const drawn = results.flatMap((result) => {
    const { ratio, bar, isFloor } = result;
    if (ratio === undefined || bar === undefined || ratio <= 0 || bar <= 0) return [];
    return [{ ...result, used: isFloor ? bar / ratio : ratio / bar }];
  });
  const height = (drawn.length + 2) * ROW_HEIGHT;
  const limit = LABEL_WIDTH + PLOT_WIDTH / 2;
  const rows = drawn.map(({ benchmark, figure, used, passed }, at) => {
    const y = (at + 1) * ROW_HEIGHT;
    const width = Math.min(used / 2, 1) * PLOT_WIDTH;
    const label = `${benchmark}: ${figure}`.slice(0, 64);
    return `<text x="${LABEL_WIDTH - 8}" y="${y + 14}" text-anchor="end">${escapeXml(label)}</text>
<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${width.toFixed(1)}" height="14" fill="${passed ? "#3fa266" : "#d0483e"}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LABEL_WIDTH + PLOT_WIDTH + 20}" height="${height}" font-family="sans-serif" font-size="12" fill="#777">
<text x="${limit}" y="14" text-anchor="middle">bar</text>
${rows.join("\n")}
<line x1="${limit}" y1="${ROW_HEIGHT}" x2="${limit}" y2="${height - ROW_HEIGHT / 2}" stroke="#777" stroke-dasharray="4 3"/>
</svg>
`;
}

function formatNumber(value: number | undefined): string {
  if (value === undefined) return "";
  return Math.abs(value) >= 100
    ? Math.round(value).toString()
    : Number(value.toPrecision(3)).toString();
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
