import { listWords } from "./word-parts.ts";

/** What a search looks for. */
export interface SearchQuery {
  /** For FTS5; undefined: only the filters count. */
  readonly match: string | undefined;
  /** The words as they are highlighted, in lower case. */
  readonly words: readonly HighlightedWord[];
  /** Each has to occur in the path of the file, in lower case. */
  readonly paths: readonly string[];
  /** The tool has to be one of these, in lower case; empty: anything. */
  readonly tools: readonly string[];
  /** Each has to occur in the folder of the session or the name of its machine, in lower case. */
  readonly projects: readonly string[];
  /** Milliseconds. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly isError: boolean;
  readonly isFromMe: boolean;
  /** Sentences about filters that could not be understood. They were not applied. */
  readonly problems: readonly string[];
}

interface HighlightedWord {
  readonly text: string;
  /** It may continue. */
  readonly isPrefix: boolean;
}

interface Term {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
  readonly isExcluded: boolean;
}

/** `-name:"several words"`, `"several words"`, or anything up to the next space. */
const TOKEN = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?(\*?)|(\S+))/giu;
/** Words and filters of one search. What comes after them is not looked for. */
const MAX_PARTS = 40;
const filterNames = ["path", "tool", "project", "before", "after", "is", "from"] as const;
type FilterName = (typeof filterNames)[number];

/**
 * Reads what a person typed: words, "phrases", prefix*, -excluded, and filters. The last word may be unfinished,
 * so it counts as a prefix unless a space follows it. Every character that means something to FTS5 is quoted.
 */
export function parseQuery(text: string, now: number): SearchQuery {
  const filters: Record<FilterName, string[]> = {
    path: [],
    tool: [],
    project: [],
    before: [],
    after: [],
    is: [],
    from: [],
  };
  const terms: Term[] = [];
  const known = new Set<string>();
  let parts = 0;
  const add = (value: string, isPrefix: boolean, isExcluded: boolean) => {
    const words = listWords(value);
    const term = { words, isPrefix, isExcluded };
    const key = JSON.stringify(term);
    if (words.length === 0 || known.has(key)) return;
    known.add(key);
    parts += words.length;
    if (parts <= MAX_PARTS) terms.push(term);
  };
  for (const found of text.matchAll(TOKEN)) {
    const [whole, minus = "", name, quoted, star = "", plain] = found;
    const filter = name?.toLowerCase();
    if (isFilterName(filter)) {
      const value = (quoted ?? plain ?? "").trim();
      if (value !== "") parts += 1;
      if (value !== "" && parts <= MAX_PARTS) filters[filter].push(value);
      continue;
    }
    const isExcluded = minus !== "" && whole.length > 1;
    if (quoted !== undefined) {
      add(name === undefined ? quoted : `${name} ${quoted}`, star !== "", isExcluded);
      continue;
    }
    const value = name === undefined ? (plain ?? "") : `${name}:${plain ?? ""}`;
    const isLast = found.index + whole.length === text.length;
    add(value, value.endsWith("*") || isLast, isExcluded);
  }
  const problems: string[] = [];
  if (parts > MAX_PARTS) {
    problems.push(`Only the first ${MAX_PARTS} words and filters are looked for.`);
  }
  return {
    match: formatMatch(terms),
    words: listHighlighted(terms),
    paths: filters.path.map((path) => path.toLowerCase()),
    tools: filters.tool.map((tool) => tool.toLowerCase()),
    projects: filters.project.map((project) => project.toLowerCase()),
    before: readTime("before", filters.before.at(-1), now, problems),
    after: readTime("after", filters.after.at(-1), now, problems),
    isError: readWord("is", "error", filters.is, problems),
    isFromMe: readWord("from", "me", filters.from, problems),
    problems,
  };
}

function isFilterName(name: string | undefined): name is FilterName {
  return filterNames.some((one) => one === name);
}

function formatMatch(terms: readonly Term[]): string | undefined {
  const wanted = terms.filter(({ isExcluded }) => !isExcluded).map(formatTerm);
  if (wanted.length === 0) return undefined;
  const excluded = terms.filter(({ isExcluded }) => isExcluded).map(formatTerm);
  const all = `(${wanted.join(" AND ")})`;
  return excluded.length === 0 ? all : `${all} NOT (${excluded.join(" OR ")})`;
}

/** Several words of one term, as in `rows.ts`, are a phrase. */
function formatTerm({ words, isPrefix }: Term): string {
  return `"${words.join(" ")}"${isPrefix ? "*" : ""}`;
}

function listHighlighted(terms: readonly Term[]): HighlightedWord[] {
  return terms
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ words, isPrefix }) =>
      words.map((word, at) => ({
        text: word.toLowerCase(),
        isPrefix: isPrefix && at === words.length - 1,
      })),
    );
}

const DAY_MS = 24 * 60 * 60 * 1000;
const unitDays: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };

/** `2026-11-19`, `today`, `yesterday`, or how long ago: `3d`, `2w`, `6m`, `1y`. */
function readTime(
  name: string,
  value: string | undefined,
  now: number,
  problems: string[],
): number | undefined {
  if (value === undefined) return undefined;
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (value === "today") return today;
  if (value === "yesterday") return today - DAY_MS;
  const [, count, unit = ""] = /^(\d{1,4})([dwmy])$/.exec(value) ?? [];
  if (count !== undefined) return now - Number(count) * (unitDays[unit] ?? 1) * DAY_MS;
  const [, year, month = "1", day = "1"] =
    /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/.exec(value) ?? [];
  const at = year === undefined ? Number.NaN : Date.parse(formatDay(year, month, day));
  if (!Number.isNaN(at)) return at;
  problems.push(
    `“${name}:${value}” is not a date. Use a date such as ${name}:2026-11-19, or how long ago, such as ${name}:3d.`,
  );
  return undefined;
}

/** Midnight in the hub's time zone. */
function formatDay(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T00:00:00`;
}

function readWord(
  name: string,
  known: string,
  values: readonly string[],
  problems: string[],
): boolean {
  for (const value of values) {
    if (value.toLowerCase() === known) return true;
    problems.push(`“${name}:${value}” is unknown. Use ${name}:${known}.`);
  }
  return false;
}
