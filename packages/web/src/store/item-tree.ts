import type { Item, ItemOfKind, SessionView } from "@signalbox/client";

/** The structure of a conversation: its top-level items, and those below a subagent's call. */
export class ItemTree {
  readonly #view: SessionView;
  #ids: readonly string[] = [];
  #rows: readonly string[] = [];
  #byParent = new Map<string, readonly string[]>();
  readonly #children = new Map<string, readonly Item[]>();
  #tasks: readonly string[] = [];
  #ended: readonly ItemOfKind<"task">[] = [];

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
    const held = this.#children.get(callId);
    if (held && areEqual(held, items)) return held;
    this.#children.set(callId, items);
    return items;
  }

  /** The person's earlier messages, the newest first, for the composer's history. */
  prompts(most = 50): readonly string[] {
    const said: string[] = [];
    for (const id of this.rows.toReversed()) {
      const item = this.#view.item(id);
      if (item?.kind !== "prompt" || item.origin !== "person") continue;
      if (typeof item.content === "string" && said.at(-1) !== item.content) said.push(item.content);
      if (said.length === most) break;
    }
    return said;
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

  #look(): void {
    const { ids } = this.#view;
    if (ids === this.#ids) return;
    this.#ids = ids;
    const rows: string[] = [];
    const tasks: string[] = [];
    const byParent = new Map<string, string[]>();
    const calls = new Set(ids);
    for (const id of ids) {
      const item = this.#view.item(id);
      if (item?.kind === "task") tasks.push(id);
      const parent = item?.parent;
      // Items of a subagent whose call is not loaded are shown at the top level.
      if (parent === undefined || !calls.has(parent)) rows.push(id);
      else if (byParent.get(parent)?.push(id) === undefined) byParent.set(parent, [id]);
    }
    this.#rows = areEqual(rows, this.#rows) ? this.#rows : rows;
    this.#byParent = byParent;
    this.#tasks = tasks.toReversed();
  }
}

function areEqual<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
