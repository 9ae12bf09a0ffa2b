import type { Item, ItemOf, SessionView } from "@signalbox/client";

/** A conversation by its shape: what stands in it, and what stands under a subagent's call. */
export class ItemTree {
  readonly #view: SessionView;
  #ids: readonly string[] = [];
  #rows: readonly string[] = [];
  #byParent = new Map<string, readonly string[]>();
  readonly #children = new Map<string, readonly Item[]>();
  #tasks: readonly string[] = [];
  #ended: readonly ItemOf<"task">[] = [];

  constructor(view: SessionView) {
    this.#view = view;
  }

  /** The ids of what stands in the conversation itself; the same array until one comes or goes. */
  get rows(): readonly string[] {
    this.#look();
    return this.#rows;
  }

  /** What a subagent said and did, by the call it runs under; the same array until that changes. */
  children(callId: string): readonly Item[] {
    this.#look();
    const ids = this.#byParent.get(callId) ?? [];
    const items = ids.flatMap((id) => this.#view.item(id) ?? []);
    const held = this.#children.get(callId);
    if (held && areEqual(held, items)) return held;
    this.#children.set(callId, items);
    return items;
  }

  /** What the person said before, the newest first: for the composer's history. */
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

  /** The call that set a task going and names the file into which it prints; undefined: not among what is here. */
  findOutputCall(taskId: string): string | undefined {
    return this.#view.ids.findLast((id) => {
      const item = this.#view.item(id);
      const payload = item?.kind === "tool" ? item.payload : undefined;
      if (payload?.kind !== "shell_exec") return false;
      const { output } = payload;
      return output?.backgroundOutputPath !== undefined && output.backgroundTaskId === taskId;
    });
  }

  /** Work in the background that is over, as far as it is here, the newest first; the same array until that changes. */
  endedTasks(): readonly ItemOf<"task">[] {
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
      // A subagent's words whose call is on an older page stand for themselves.
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
