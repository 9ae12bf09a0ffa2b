import type { Activity, ContextUse, TimelineEvent } from "../event.ts";
import type { ToolPayload } from "../tools/index.ts";

export interface OpenAsk {
  readonly requestId: string;
  readonly kind: string;
  readonly title: string;
  readonly tool?: string;
}
export interface Todo {
  readonly id?: string;
  readonly description: string;
  readonly status: string;
}
export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** A session at a glance. */
export interface Summary {
  readonly title?: string;
  readonly sessionId?: string;
  readonly status: Activity;
  readonly model?: string;
  readonly mode?: string;
  readonly version?: string;
  readonly cwd?: string;
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly context?: ContextUse;
  readonly turns: number;
  readonly lastActivityAt?: number;
  readonly lastTurn?: string;
  readonly doing?: string;
  readonly openAsks: readonly OpenAsk[];
  readonly todos: readonly Todo[];
  readonly tasks: readonly { readonly taskId: string; readonly description?: string }[];
  readonly changedFiles: readonly ChangedFile[];
  /** What runs before this one cost: an agent counts from its own start. */
  readonly costBefore: number;
}

/** More files than a person looks through; the items have them all. */
const MOST_FILES = 500;
const MOST_TODOS = 500;
const TITLE_LENGTH = 80;

export function initialSummary(): Summary {
  return {
    status: "starting",
    costUsd: 0,
    inputTokens: 0,
    outputTokens: 0,
    turns: 0,
    openAsks: [],
    todos: [],
    tasks: [],
    changedFiles: [],
    costBefore: 0,
  };
}

export function summarize(summary: Summary, event: TimelineEvent, at?: number): Summary {
  const told = tell(summary, event);
  return at === undefined || at === told.lastActivityAt ? told : { ...told, lastActivityAt: at };
}

function tell(summary: Summary, event: TimelineEvent): Summary {
  switch (event.type) {
    case "session-started": {
      const { sessionId, model, mode, version, cwd } = event;
      const known = {
        sessionId,
        ...(model && { model }),
        ...(mode && { mode }),
        ...(version && { version }),
      };
      return { ...summary, ...known, ...(cwd && { cwd }), costBefore: summary.costUsd };
    }
    case "activity-changed":
      return { ...summary, status: event.activity };
    case "model-changed":
      return { ...summary, model: event.model };
    case "mode-changed":
      return { ...summary, mode: event.mode };
    case "context-changed": {
      const { type: _, ...context } = event;
      return { ...summary, context };
    }
    case "user-said": {
      if (summary.title !== undefined || event.origin !== "person") return summary;
      const title = titleOf(event.content);
      return title === "" ? summary : { ...summary, title };
    }
    case "turn-ended":
      return turnEnded(summary, event);
    case "permission-asked": {
      const { requestId, kind, title, tool } = event;
      const ask = { requestId, kind, title, ...(tool !== undefined && { tool }) };
      return { ...summary, openAsks: [...summary.openAsks, ask] };
    }
    case "permission-answered":
    case "permission-cancelled": {
      const openAsks = summary.openAsks.filter(({ requestId }) => requestId !== event.requestId);
      return openAsks.length === summary.openAsks.length ? summary : { ...summary, openAsks };
    }
    case "run-ended":
      return { ...summary, tasks: [] };
    case "tasks-changed":
      return { ...summary, tasks: event.tasks };
    case "tool-called":
      return withTodos({ ...summary, doing: event.title }, event.payload);
    case "tool-updated":
      return withFile(withTodos(summary, event.payload), event.payload, event.status);
    default:
      return summary;
  }
}

function titleOf(content: Extract<TimelineEvent, { type: "user-said" }>["content"]): string {
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => (typeof part["text"] === "string" ? part["text"] : "")).join(" ");
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

function turnEnded(
  summary: Summary,
  event: Extract<TimelineEvent, { type: "turn-ended" }>,
): Summary {
  const { doing: _, ...rest } = summary;
  return {
    ...rest,
    turns: summary.turns + 1,
    lastTurn: event.status,
    // Cost is counted by the agent from the start of its run, tokens turn by turn.
    costUsd: event.costUsd === undefined ? summary.costUsd : summary.costBefore + event.costUsd,
    inputTokens: summary.inputTokens + (event.inputTokens ?? 0),
    outputTokens: summary.outputTokens + (event.outputTokens ?? 0),
  };
}

/** The list as it stands: written whole, listed, or changed task by task. */
function withTodos(summary: Summary, payload: ToolPayload): Summary {
  if (payload.kind === "create_task") {
    const { title: description, output } = payload;
    if (output?.id === undefined) return summary;
    const created = { id: output.id, description, status: "pending" };
    return { ...summary, todos: [...summary.todos, created].slice(-MOST_TODOS) };
  }
  if (payload.kind !== "manage_todos") return summary;
  const { operation, items, output } = payload;
  if (operation === "write" && items.length > 0)
    return { ...summary, todos: items.slice(-MOST_TODOS) };
  if (operation === "list" && output?.items)
    return { ...summary, todos: output.items.slice(-MOST_TODOS) };
  if (operation !== "update" || !output) return summary;
  const todos = summary.todos.map((todo) => {
    const news = items.find(({ id }) => id !== undefined && id === todo.id);
    if (!news) return todo;
    // In an update an empty field is one that stays as it was.
    return {
      ...todo,
      description: news.description || todo.description,
      status: news.status || todo.status,
    };
  });
  return { ...summary, todos: todos.filter(({ status }) => status !== "deleted") };
}

function withFile(summary: Summary, payload: ToolPayload, status: string): Summary {
  if (payload.kind !== "modify_file" || status !== "complete") return summary;
  const { filePath: path, output } = payload;
  const before = summary.changedFiles.find((file) => file.path === path);
  const file = {
    path,
    added: (before?.added ?? 0) + (output?.added ?? 0),
    removed: (before?.removed ?? 0) + (output?.removed ?? 0),
  };
  const others = summary.changedFiles.filter((other) => other.path !== path);
  return { ...summary, changedFiles: [...others, file].slice(-MOST_FILES) };
}
