import type { Item, ItemOfKind, SessionView } from "@signalbox/client";

/** The structure of a conversation: its top-level items, and those below a subagent's call. */
export class ItemTree {
  readonly #view: SessionView;
  #ids: readonly string[] = [];
  #rows: readonly string[] = [];
  #byParent = new Map<string, readonly string[]>();
  readonly #children = new Map<string, readonly Item[]>();
  readonly #answers = new Map<string, readonly string[]>();
  #askByCall = new Map<string, string>();
  #tasks: readonly string[] = [];
  #ended: readonly ItemOfKind<"task">[] = [];
  #subagents: readonly ItemOfKind<"tool">[] = [];

  constructor(view: SessionView) {
    this.#view = view;
  }

  /** The ids of top-level items. The same array until one is added or removed. */
  get rows(): readonly string[] {
    this.#look();
    return this.#rows;
  }

  /** The items below a subagent's call. The same array until they change. */
  children(callId: string): readonly Item[] {
    this.#look();
    const ids = this.#byParent.get(callId) ?? [];
    const items = ids.flatMap((id) => this.#view.item(id) ?? []);
    const childItems = this.#children.get(callId);
    if (childItems && areEqual(childItems, items)) return childItems;
    this.#children.set(callId, items);
    return items;
  }

  /** The loaded items before this one, in their order. */
  itemsBefore(id: string): readonly Item[] {
    const { ids } = this.#view;
    const end = ids.indexOf(id);
    return ids.slice(0, Math.max(0, end)).flatMap((one) => this.#view.item(one) ?? []);
  }

  /** The last request about a tool call. It is shown on the call's row, and not as a row of its own. */
  findAsk(callId: string): ItemOfKind<"ask"> | undefined {
    this.#look();
    const item = this.#view.item(this.#askByCall.get(callId) ?? "");
    return item?.kind === "ask" ? item : undefined;
  }

  /** The last texts before the end of a turn. The same array until they change. Undefined if there are none. */
  findAnswer(turnEnd: string): readonly string[] | undefined {
    const rows = this.rows;
    const texts: string[] = [];
    for (let at = rows.indexOf(turnEnd) - 1; at >= 0; at -= 1) {
      const item = this.#view.item(rows[at] ?? "");
      if (item?.kind !== "text") break;
      texts.unshift(item.text);
    }
    if (texts.length === 0) return undefined;
    const answerIds = this.#answers.get(turnEnd);
    if (answerIds && areEqual(answerIds, texts)) return answerIds;
    this.#answers.set(turnEnd, texts);
    return texts;
  }

  /** The person's first message after an item, at which the agent has stored the state of the files. */
  findNextPrompt(id: string): ItemOfKind<"prompt"> | undefined {
    const rows = this.rows;
    for (const row of rows.slice(rows.indexOf(id) + 1)) {
      const item = this.#view.item(row);
      if (item?.kind === "prompt" && item.origin === "person") return item;
    }
    return undefined;
  }

  /** The person's earlier messages, the newest first, for the composer's history. */
  prompts(most = 50): readonly string[] {
    const spokenIds: string[] = [];
    for (const id of this.rows.toReversed()) {
      const item = this.#view.item(id);
      if (item?.kind !== "prompt" || item.origin !== "person") continue;
      if (typeof item.content === "string" && spokenIds.at(-1) !== item.content)
        spokenIds.push(item.content);
      if (spokenIds.length === most) break;
    }
    return spokenIds;
  }

  /** When the running turn was begun by a message, as far as the messages are loaded. */
  turnStart(): number | undefined {
    for (const id of this.rows.toReversed()) {
      const item = this.#view.item(id);
      if (item?.kind === "turn-end") return undefined;
      if (item?.kind === "prompt" && item.arrived) return item.at;
    }
    return undefined;
  }

  /** The call that started a task and names its output file. Undefined if it is not loaded. */
  findOutputCall(taskId: string): string | undefined {
    return this.#view.ids.findLast((id) => {
      const item = this.#view.item(id);
      const payload = item?.kind === "tool" ? item.payload : undefined;
      if (payload?.kind !== "shell_exec") return false;
      const { output } = payload;
      return output?.backgroundOutputPath !== undefined && output.backgroundTaskId === taskId;
    });
  }

  /** Loaded background tasks that have ended, the newest first. The same array until they change. */
  endedTasks(): readonly ItemOfKind<"task">[] {
    this.#look();
    const ended = this.#tasks.flatMap((id) => {
      const item = this.#view.item(id);
      return item?.kind === "task" && item.status !== "running" ? [item] : [];
    });
    if (!areEqual(ended, this.#ended)) this.#ended = ended;
    return this.#ended;
  }

  /** Subagents that run now, in their order. The same array until they change. */
  runningSubagents(): readonly ItemOfKind<"tool">[] {
    this.#look();
    const running = this.#view.ids.flatMap((id) => {
      const item = this.#view.item(id);
      const isRunning = item?.kind === "tool" && item.status === "running";
      return isRunning && item.payload?.kind === "subagent_task" ? [item] : [];
    });
    if (!areEqual(running, this.#subagents)) this.#subagents = running;
    return this.#subagents;
  }

  #look(): void {
    const { ids } = this.#view;
    if (ids === this.#ids) return;
    this.#ids = ids;
    const rows: string[] = [];
    const tasks: string[] = [];
    const byParent = new Map<string, string[]>();
    const calls = new Set(ids);
    const askByCall = new Map<string, string>();
    let start: string | undefined;
    for (const id of ids) {
      const item = this.#view.item(id);
      const started = describeStart(item);
      if (started !== undefined) {
        const isNews = start !== undefined && start !== started;
        start = started;
        // Info shows the model and the version. A row says it only when they have changed.
        if (!isNews) continue;
      }
      if (item?.kind === "ask" && item.callId !== undefined && calls.has(item.callId)) {
        askByCall.set(item.callId, id);
        continue;
      }
      if (item?.kind === "task") tasks.push(id);
      const parent = item?.parent;
      // Items of a subagent whose call is not loaded are shown at the top level.
      if (parent === undefined || !calls.has(parent)) rows.push(id);
      else if (byParent.get(parent)?.push(id) === undefined) byParent.set(parent, [id]);
    }
    this.#rows = areEqual(rows, this.#rows) ? this.#rows : rows;
    this.#byParent = byParent;
    this.#askByCall = askByCall;
    this.#tasks = tasks.toReversed();
  }
}

/** With which model and version a run began, if an item is the notice of a start. */
function describeStart(item: Item | undefined): string | undefined {
  if (item?.kind !== "notice" || item.level !== "info") return undefined;
  const { type, model, version } = (item.details ?? {}) as Record<string, unknown>;
  if (type !== "session-started") return undefined;
  return [model, version].filter((fact) => typeof fact === "string").join(" ");
}

function areEqual<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
