/** One figure of a benchmark, beside its baseline of the same run. */
export interface BenchmarkResult {
  readonly benchmark: string;
  readonly figure: string;
  readonly unit: string;
  readonly ours: number | undefined;
  readonly baseline: number | undefined;
  readonly baselineIs: string;
  readonly ratio: number | undefined;
  readonly bar: number | undefined;
  /** Whether the ratio must be at least the bar, and not at most. */
  readonly isFloor: boolean;
  readonly passed: boolean;
  /** The lowest and the highest ratio of the rounds, where the benchmark prints them. */
  readonly spread: readonly [low: number, high: number] | undefined;
}

/** Reads the figures of one printed line. What is not JSON has none, and neither has the summary at the end. */
export function readResults(benchmark: string, line: string): BenchmarkResult[] {
  const printed = parseObject(line);
  if (printed === undefined || typeof printed["passed"] !== "boolean") return [];
  const compared = printed["compared"];
  const isSummary = compared === undefined && printed["ours"] === undefined;
  if (isSummary) return [];
  if (!Array.isArray(compared)) return [toResult(benchmark, printed, printed)];
  return compared.map((part) => toResult(benchmark, printed, part as Record<string, unknown>));
}

function toResult(
  benchmark: string,
  whole: Record<string, unknown>,
  part: Record<string, unknown>,
): BenchmarkResult {
  const read = (name: string) => part[name] ?? whole[name];
  const number = (name: string) =>
    typeof read(name) === "number" ? (read(name) as number) : undefined;
  const text = (name: string) => (typeof read(name) === "string" ? (read(name) as string) : "");
  const [ratio, bar, passed] = [number("ratio"), number("bar"), read("passed") === true];
  const ratios = read("ratios");
  const isKnown = ratio !== undefined && bar !== undefined && ratio !== bar;
  return {
    benchmark,
    figure: text("what") || text("mix") || text("figure") || text("name") || text("benchmark"),
    unit: text("unit"),
    ours: number("ours"),
    baseline: number("baseline"),
    baselineIs: text("baselineIs"),
    ratio,
    bar,
    isFloor: read("better") === "higher" || (isKnown && passed === ratio > bar),
    passed,
    spread: Array.isArray(ratios) ? [Math.min(...ratios), Math.max(...ratios)] : undefined,
  };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
