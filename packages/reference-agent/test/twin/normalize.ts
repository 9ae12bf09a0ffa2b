import type { Recording } from "./play.ts";

/** A recording without what differs from run to run: ids, times, costs, counts, paths. */
export interface Normalized {
  /** Messages and requests of the agent, in order. */
  readonly said: readonly unknown[];
  /**
   * Messages of subagents in the background, one list each, because they run beside the
   * conversation.
   */
  readonly beside: readonly (readonly unknown[])[];
  /**
   * Partial messages, in order. They run beside tools, so their position among the others is
   * random.
   */
  readonly streamed: readonly unknown[];
  /** Answers to the host's requests, in order. */
  readonly answered: readonly unknown[];
  readonly yielded: readonly unknown[];
  readonly notes: readonly unknown[];
  readonly thrown: readonly unknown[];
  readonly files: unknown;
}

type Row = {
  type?: string;
  response?: { subtype?: string };
  subtype?: string;
  task_type?: string;
  task_id?: string;
  agent_id?: string;
  is_backgrounded?: boolean;
  output_file?: string;
  error_status?: number | null;
};

export function normalize(recording: Recording): Normalized {
  const clean = cleaner(recording.place, taskIds(recording));
  const isKept = (row: Row) => !isLostLine(row) && !isOfTime(row);
  const rows = (recording.wire.map(clean) as Row[]).filter(isKept);
  const isStreamed = ({ type }: Row) => type === "stream_event";
  const isAnswer = ({ type }: Row) => type === "control_response";
  const others = inBackground(rows);
  const isBeside = (row: Row) => others.some((id) => isKind(id, row));
  return {
    said: rows.filter((row) => !isStreamed(row) && !isAnswer(row) && !isBeside(row)),
    beside: others.map((id) => rows.filter((row) => isKind(id, row))),
    streamed: merged(rows.filter(isStreamed)),
    answered: rows.filter(isAnswer).map(initializeApart),
    yielded: (recording.yielded.map(clean) as Row[]).filter(
      (row) => !isStreamed(row) && !isBeside(row) && isKept(row),
    ),
    notes: recording.notes.map(clean),
    thrown: recording.thrown.map(clean),
    files: clean(recording.files),
  };
}

/**
 * Recognizes a lost and reopened connection to the model, which the network causes. A status comes
 * from the model and is compared.
 */
const isLostLine = ({ subtype, error_status }: Row): boolean =>
  subtype === "api_retry" && error_status === null;

/**
 * Recognizes messages about calls that take long, which the machine may cause. Stories that compare
 * them note them.
 */
export const isOfTime = ({
  type,
  subtype,
  is_backgrounded,
  output_file,
  task_type,
}: Row): boolean =>
  type === "tool_progress" ||
  (subtype === "task_started" && task_type === "local_bash" && is_backgrounded === false) ||
  (subtype === "task_notification" && output_file === "" && task_type === undefined);

const isKind = (id: string | undefined, { agent_id, task_id, subtype }: Row): boolean =>
  agent_id === id || (task_id === id && subtype !== "task_started");

function inBackground(rows: readonly Row[]): (string | undefined)[] {
  return rows
    .filter(({ task_type, is_backgrounded }) => task_type === "local_agent" && is_backgrounded)
    .map(({ task_id }) => task_id);
}

/** Matches the file in which a result of an MCP server, or of Bash, is stored. */
const KEPT =
  /(\/tool-results\/(?:mcp-[\w-]+?-(?=\d{13})|(?=b[a-z0-9]{8}\.)))(?:\d{13}(?:-\d)?(?:-[a-z0-9]{1,6})?|b[a-z0-9]{8})(?=\.\w+)/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Fields whose numbers are times, costs or counts of tokens. */
const MEASURED =
  /(?:_ms|Ms|duration|cost|Cost|CostUSD|costUSD|tokens|Tokens|timestamp|mtime|elapsed|pid|insertedAt|usage_seconds|percentage|end_time)/;

/** Lists the ids of tasks and subagents, in the order of their first appearance. */
function taskIds({ wire, notes }: Recording): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, key = ""): void => {
    if (typeof value === "string" && ID_FIELDS.has(key) && /^[ab][0-9a-z]{8,}$/.test(value)) {
      found.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, name);
    }
  };
  walk(wire);
  walk(notes);
  return [...found];
}
const ID_FIELDS = new Set("task_id agent_id agentId agentID backgroundTaskId".split(" "));
const RUN = /\b0[0-9a-z]{8}-[0-9a-f]{8}\b/g;

function cleaner(place: string, tasks: readonly string[]): (value: unknown) => unknown {
  const known = new Map(tasks.map((id, at) => [id, `task#${at + 1}`]));
  const anyTask = tasks.length > 0 ? new RegExp(tasks.join("|"), "g") : /(?!)/g;
  const names = new Map<string, string>();
  const getName = (id: string) => {
    const known = names.get(id) ?? `toolu#${names.size + 1}`;
    names.set(id, known);
    return known;
  };
  const slug = place.replaceAll(/[^a-zA-Z0-9]/g, "-");
  const text = (value: string) =>
    value
      .replaceAll(place, "<place>")
      .replaceAll(slug, "<slug>")
      .replaceAll(/toolu_[0-9a-f]{24}/g, getName)
      .replaceAll(anyTask, (id) => known.get(id) ?? id)
      .replaceAll(RUN, "<run>")
      .replaceAll(/\bmsg_[0-9a-f]{24}/g, "<message>")
      .replaceAll(/\breq_[0-9a-f]{24}/g, "<request>")
      .replaceAll(UUID, "<uuid>")
      .replaceAll(ISO, "<time>")
      .replaceAll(KEPT, "$1<time>")
      .replaceAll(/(?<=only ~)\d+(?= tokens)/g, "<number>")
      .replaceAll(/127\.0\.0\.1:\d+/g, "<model>")
      .replaceAll(/## Context Usage[^]*/g, contextTable)
      .replaceAll(/Total cost: [^]*/g, costTable);
  const walk = (value: unknown, key = ""): unknown => {
    if (key === "request_id" && !String(value).startsWith("req_")) return "<request>";
    if (typeof value === "string") return text(value);
    if (typeof value === "number" && MEASURED.test(key)) return "<number>";
    if (Array.isArray(value)) return value.filter(isOfAnyProgram).map((entry) => walk(entry));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(entries.map(([name, inner]) => [text(name), walk(inner, name)]));
  };
  return (value) => walk(value);
}

/** Removes counts from the output of `/context`, and the rows about what each program includes. */
function contextTable(text: string): string {
  return text
    .split("\n")
    .filter((row) => !/^\| System tools \(deferred\) \||\| Built-in \|/.test(row))
    .map((row) => row.replaceAll(/(?<=\| )(?:[~<] ?)?[\d.]+[km]?%?(?= \|)/g, "<number>"))
    .map((row) => (row.startsWith("**Tokens:**") ? row.replaceAll(/[\d.]+/g, "<number>") : row))
    .join("\n")
    .replace(/(<number>)[km]?(?= \/)/, "$1");
}

/** Removes costs, times and counts of tokens from the output of `/cost`. */
function costTable(text: string): string {
  return text
    .replaceAll(/\$[\d.]+/g, "<cost>")
    .replaceAll(/(?<=duration \(\w+\): +)[\dhms ]+(?=\n)/g, "<time>")
    .replaceAll(/[\d.]+[km]?(?= (?:input|output),)/g, "<number>");
}

/**
 * Whether an entry is not about what a program includes: skills, and tools that are loaded on
 * demand.
 */
const isOfAnyProgram = (entry: unknown): boolean => {
  const { source, kind } = (entry ?? {}) as { source?: unknown; kind?: unknown };
  return source !== "built-in" && kind !== "deferred";
};

/** Renames the answer to `initialize`, which describes what a program offers. */
function initializeApart(row: Row): unknown {
  const { response } = row as { response?: { response?: Record<string, unknown> } };
  const answer = response?.response;
  if (!answer || !("commands" in answer && "models" in answer)) return row;
  return { ...row, response: { response: { initialize: answer } } };
}

/** Merges the deltas of a block, because the network decides how a text is split. */
function merged(rows: readonly unknown[]): unknown[] {
  const out: unknown[] = [];
  let last: string | undefined;
  for (const row of rows) {
    const { event } = row as { event?: { type?: string; index?: number } };
    const key = event?.type === "content_block_delta" ? `delta ${event.index}` : undefined;
    if (key !== undefined && key === last) continue;
    last = key;
    out.push(
      key === undefined
        ? row
        : { type: "stream_event", event: { type: event?.type, index: event?.index } },
    );
  }
  return out;
}
