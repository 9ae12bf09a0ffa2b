import {
  type Activity,
  type ActivitySource,
  type BlockKind,
  type ContextUse,
  type Lane,
  MAIN,
  type TimelineEvent,
} from "../event.ts";
import { exact } from "../normalize/cost.ts";
import type { ToolPayload } from "../tools/index.ts";
import type { ItemDraft } from "./draft.ts";
import { getCallTitle } from "./titles.ts";
interface Todo {
  readonly id?: string;
  readonly description: string;
  readonly status: string;
}
interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** A background task that is running. */
export interface RunningTask {
  readonly taskId: string;
  readonly description?: string;
  /** The agent's own name for it: `local_bash`, `local_agent` … */
  readonly kind?: string;
  /** The call that started it. */
  readonly callId?: string;
  /** When it began, in milliseconds, if the log has the time. */
  readonly at?: number;
}

/** What the main agent's model does while no tool runs. */
type SummaryMessage = "thinking" | "writing" | "calling";

/** The model's server refused to answer, and the request is repeated. */
interface Retry {
  /** When, in milliseconds, if the log has the time. */
  readonly at?: number;
  /** The HTTP status; 429 is its rate limit. */
  readonly status?: number;
}

/**
 * The end of a run. `exitCode` and `signal` are both null if nobody observed how the process left.
 */
export interface RunEndFacts {
  readonly status: "ended" | "parked" | "crashed";
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** What an agent that shows itself in a terminal does, and from what it is known. */
interface ShownActivity {
  readonly state: "active" | "idle" | "asking";
  readonly source: ActivitySource;
}

/** A session at a glance. */
export interface Summary {
  readonly title?: string;
  readonly sessionId?: string;
  readonly status: Activity;
  readonly model?: string;
  readonly mode?: string;
  readonly version?: string;
  readonly driver?: string;
  readonly policy?: string;
  readonly cwd?: string;
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Tokens read from the cache and written to it. */
  readonly cacheTokens: number;
  readonly context?: ContextUse;
  readonly turns: number;
  readonly lastActivityAt?: number;
  /** What an agent in a terminal does, and from what it is known. */
  readonly shown?: ShownActivity;
  readonly lastTurn?: string;
  /** Why the last turn failed, if the agent reported it. */
  readonly lastError?: string;
  /** How the last run ended, until the next one begins. */
  readonly runEnd?: RunEndFacts;
  readonly doing?: string;
  /** The beginning of the main agent's last text. */
  readonly lastText?: string;
  /** The kind of block that the model is writing, while one is streamed. */
  readonly saying?: SummaryMessage;
  readonly retry?: Retry;
  /** How many messages were printed again and are shown once; missing if there were none. */
  readonly repeated?: number;
  readonly todos: readonly Todo[];
  readonly tasks: readonly RunningTask[];
  readonly changedFiles: readonly ChangedFile[];
}

/** More files than a person looks through. The items have all of them. */
const MAX_FILES = 500;
const MAX_TODOS = 500;
const TITLE_LENGTH = 80;
const ERROR_LENGTH = 300;
/** Enough for three lines of a tile. The summary goes to every client that follows the board. */
const LAST_TEXT_LENGTH = 200;

export function createSummary(): Summary {
  return {
    status: "starting",
    costUsd: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheTokens: 0,
    turns: 0,
    todos: [],
    tasks: [],
    changedFiles: [],
  };
}

export function summarize(draft: ItemDraft, event: TimelineEvent): void {
  switch (event.type) {
    case "run-started": {
      const summary = draft.newSummary;
      summary.version = event.version;
      summary.driver = event.driver;
      summary.policy = event.policy;
      delete summary.runEnd;
      delete summary.shown;
      if (event.model !== undefined) summary.model = event.model;
      return;
    }
    case "session-started": {
      const summary = draft.newSummary;
      const { sessionId, model, mode, version, cwd } = event;
      summary.sessionId = sessionId;
      delete summary.runEnd;
      if (model) summary.model = model;
      if (mode) summary.mode = mode;
      if (version) summary.version = version;
      if (cwd) summary.cwd = cwd;
      return;
    }
    case "folder-changed":
      draft.newSummary.cwd = event.cwd;
      return;
    case "activity-changed":
      draft.newSummary.status = event.activity;
      return;
    case "session-state-changed": {
      const { state, source } = event;
      if (source === undefined) return;
      const shown = { running: "active", requires_action: "asking" } as const;
      draft.newSummary.shown = { state: shown[state as keyof typeof shown] ?? "idle", source };
      return;
    }
    case "model-changed":
      draft.newSummary.model = event.model;
      return;
    case "mode-changed":
      draft.newSummary.mode = event.mode;
      return;
    case "context-changed": {
      const { used, window, remaining, efficiency } = event;
      draft.newSummary.context = { used, window, remaining, efficiency };
      return;
    }
    case "context-forgotten":
      delete draft.newSummary.context;
      return;
    case "user-said": {
      if (draft.summary.title !== undefined || event.origin !== "person") return;
      const title = toSessionTitle(event.content);
      if (title !== "" && !title.startsWith("/")) draft.newSummary.title = title;
      return;
    }
    case "session-titled":
      draft.newSummary.title = event.title.slice(0, TITLE_LENGTH);
      return;
    case "message-repeated":
      draft.newSummary.repeated = (draft.summary.repeated ?? 0) + 1;
      return;
    case "turn-ended":
      return noteTurnEnd(draft.newSummary, event);
    case "turn-failed":
      draft.newSummary.lastError = event.error.slice(0, ERROR_LENGTH);
      return;
    case "block-started":
      return noteMessage(draft, event.lane, messages[event.kind]);
    case "block-settled":
      if (event.kind === "text" && event.lane === MAIN) noteText(draft, event.text);
      return;
    case "block-ended":
    case "block-cut":
      return noteMessage(draft, event.lane, undefined);
    case "retry-scheduled":
      return noteRetry(draft, event);
    case "run-ended": {
      noteMessage(draft, MAIN, undefined);
      if (draft.summary.shown) delete draft.newSummary.shown;
      const { status, exitCode = null, signal = null } = event;
      draft.newSummary.runEnd = { status, exitCode, signal };
      if (draft.summary.tasks.length > 0) draft.newSummary.tasks = [];
      return;
    }
    case "tasks-changed":
      draft.newSummary.tasks = event.tasks.map((task) => mergeRunningTask(draft, task));
      return;
    case "task-moved":
      return noteCall(draft, event);
    case "tool-called":
      if (draft.inTurn) draft.newSummary.doing = getCallTitle(draft.summary, event);
      return;
    case "tool-updated":
      if (event.status === "complete") noteTodos(draft, event.payload, event.lane);
      noteDone(draft, event);
      return noteFile(draft, event.payload, event.status);
    default:
  }
}

const messages: Readonly<Partial<Record<BlockKind, SummaryMessage>>> = {
  text: "writing",
  thinking: "thinking",
  tool: "calling",
};

/**
 * The model is writing, or has finished a block, so nobody waits for it. Subagents write
 * independently.
 */
function noteMessage(draft: ItemDraft, lane: Lane, message: SummaryMessage | undefined): void {
  if (lane !== MAIN || (draft.summary.saying === message && !draft.summary.retry)) return;
  const summary = draft.newSummary;
  delete summary.retry;
  if (message === undefined) delete summary.saying;
  else summary.saying = message;
}

function noteText(draft: ItemDraft, text: string): void {
  const start = text.trimStart().slice(0, LAST_TEXT_LENGTH);
  if (start !== "" && start !== draft.summary.lastText) draft.newSummary.lastText = start;
}

function noteRetry(
  draft: ItemDraft,
  { delayMs, status }: Extract<TimelineEvent, { type: "retry-scheduled" }>,
): void {
  const at = draft.now === null || delayMs === undefined ? undefined : draft.now + delayMs;
  draft.newSummary.retry = {
    ...(at !== undefined && { at }),
    ...(status !== undefined && { status }),
  };
}

/** A task keeps the time at which it was first listed, and the call that was reported for it. */
function mergeRunningTask({ summary, now }: ItemDraft, task: RunningTask): RunningTask {
  const before = summary.tasks.find(({ taskId }) => taskId === task.taskId);
  const at = before ? before.at : (now ?? undefined);
  const { callId } = before ?? {};
  return { ...task, ...(callId !== undefined && { callId }), ...(at !== undefined && { at }) };
}

/** The list does not name the call of a task; the messages about the task do. */
function noteCall(
  draft: ItemDraft,
  { taskId, callId }: Extract<TimelineEvent, { type: "task-moved" }>,
): void {
  const { tasks } = draft.summary;
  if (callId === undefined) return;
  if (!tasks.some((task) => task.taskId === taskId && task.callId !== callId)) return;
  draft.newSummary.tasks = tasks.map((task) =>
    task.taskId === taskId ? { ...task, callId } : task,
  );
}

function toSessionTitle(content: Extract<TimelineEvent, { type: "user-said" }>["content"]): string {
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => (typeof part["text"] === "string" ? part["text"] : "")).join(" ");
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

function noteTurnEnd(
  summary: { -readonly [K in keyof Summary]: Summary[K] },
  event: Extract<TimelineEvent, { type: "turn-ended" }>,
): void {
  delete summary.doing;
  delete summary.saying;
  delete summary.retry;
  summary.turns++;
  summary.lastTurn = event.status;
  if (event.error === undefined) delete summary.lastError;
  else summary.lastError = event.error.slice(0, ERROR_LENGTH);
  summary.costUsd = exact(summary.costUsd + (event.costUsd ?? 0));
  summary.inputTokens += event.inputTokens ?? 0;
  summary.outputTokens += event.outputTokens ?? 0;
  summary.cacheTokens += event.cacheTokens ?? 0;
}

function noteDone(
  draft: ItemDraft,
  { callId, status }: Extract<TimelineEvent, { type: "tool-updated" }>,
): void {
  const item = draft.call(callId);
  if (status === "running" || !item) return;
  if (item.title === draft.summary.doing) delete draft.newSummary.doing;
}

/** The current todo list: written whole, listed, or changed task by task. */
function noteTodos(draft: ItemDraft, payload: ToolPayload, lane: Lane): void {
  if (payload.kind === "create_task") {
    const { title: description, output } = payload;
    if (output?.id === undefined) return;
    const created = { id: output.id, description, status: "pending" };
    draft.newSummary.todos = [...draft.summary.todos, created].slice(-MAX_TODOS);
  }
  if (payload.kind !== "manage_todos") return;
  const { operation, items, output } = payload;
  // A subagent that writes a list has its own.
  if (operation === "write" && lane === MAIN) {
    draft.newSummary.todos = items.slice(-MAX_TODOS);
  } else if (operation === "list" && lane === MAIN && output?.items) {
    draft.newSummary.todos = output.items.slice(-MAX_TODOS);
  } else if (operation === "update" && output) {
    const todos = draft.summary.todos.map((todo) => {
      const news = items.find(({ id }) => id !== undefined && id === todo.id);
      if (!news) return todo;
      // An empty field in an update means that the field does not change.
      const { description, status } = news;
      return {
        ...todo,
        description: description || todo.description,
        status: status || todo.status,
      };
    });
    draft.newSummary.todos = todos.filter(({ status }) => status !== "deleted");
  }
}

/** The folder in which the agent writes its plans, where nothing of the project changes. */
const PLAN = /\/\.claude\/plans\/[^/]+\.md$/;

function noteFile(draft: ItemDraft, payload: ToolPayload, status: string): void {
  if (payload.kind !== "modify_file" || status !== "complete") return;
  const { output } = payload;
  const { changedFiles, cwd } = draft.summary;
  const path = resolvePath(payload.filePath, cwd);
  if (PLAN.test(path)) return;
  const before = changedFiles.find((file) => file.path === path);
  const file = {
    path,
    added: (before?.added ?? 0) + (output?.added ?? 0),
    removed: (before?.removed ?? 0) + (output?.removed ?? 0),
  };
  const others = changedFiles.filter((other) => other.path !== path);
  draft.newSummary.changedFiles = [...others, file].slice(-MAX_FILES);
}

/** Resolves the path of a file, so that one file has one path however a tool was given it. */
function resolvePath(path: string, cwd: string | undefined): string {
  if (cwd?.startsWith("/") !== true || path.startsWith("/") || path === "") return path;
  return `${cwd}/${path.replace(/^(?:\.\/)+/, "")}`;
}
