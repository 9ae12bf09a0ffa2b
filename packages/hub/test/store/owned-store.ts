import { type Fence, type RunnerClaim, type Store, StoreError } from "@signalbox/hub/store";
import type { Change } from "../../src/store/store.ts";

/** A store whose runners can be claimed by other hubs, as one that several hubs share. */
export class OwnedStore {
  /** The kinds of changes to what belongs to a claimed runner that were committed without its fence. */
  readonly unfenced: string[] = [];
  readonly #store: Store;
  readonly #tokens = new Map<string, number>();
  /** The runner of each session, message and order, by id. */
  readonly #owners = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  static async open(store: Store): Promise<OwnedStore> {
    const owned = new OwnedStore(store);
    for (const { id, runner } of await store.sessions()) owned.#owners.set(id, runner);
    for (const row of await store.prompts()) owned.#noteOwner({ kind: "prompt", row });
    return owned;
  }

  /** Another hub claims a runner: the fences of before do not count any more. */
  takeOver(runner: string): Fence {
    const token = (this.#tokens.get(runner) ?? 0) + 1;
    this.#tokens.set(runner, token);
    return { runner, token };
  }

  /** The store as this hub has it. */
  get store(): Store {
    return new Proxy(this.#store, {
      get: (store, name: keyof Store) => {
        if (name === "claim") {
          return ({ runner }: RunnerClaim) => Promise.resolve(this.takeOver(runner));
        }
        if (name === "commit") {
          return (...[changes, fence]: Parameters<Store["commit"]>) => {
            this.#checkFence(changes, fence);
            return fence && fence.token !== this.#tokens.get(fence.runner)
              ? Promise.reject(new StoreError("moved", "Another hub has claimed this runner."))
              : store.commit(changes, fence);
          };
        }
        const value: unknown = store[name];
        return typeof value === "function" ? (value.bind(store) as unknown) : value;
      },
    });
  }

  #checkFence(changes: readonly Change[], fence: Fence | undefined): void {
    for (const change of changes) {
      this.#noteOwner(change);
      const runner = this.#findOwner(change);
      if (runner === undefined || !this.#tokens.has(runner) || fence?.runner === runner) continue;
      this.unfenced.push(change.kind);
    }
  }

  #noteOwner(change: Change): void {
    if (change.kind === "session" || change.kind === "order") {
      this.#owners.set(change.row.id, change.row.runner);
    }
    if (change.kind === "prompt") {
      const runner = this.#owners.get(change.row.session);
      if (runner !== undefined) this.#owners.set(change.row.id, runner);
    }
  }

  /** The runner whose hub alone may make a change. */
  #findOwner(change: Change): string | undefined {
    if (change.kind === "receipt" || change.kind === "audit") return undefined; // any hub writes its own
    if (change.kind === "log-copied") return this.#owners.get(change.to);
    if ("key" in change) return /^open-shells\.(.*)$/.exec(change.key)?.[1];
    const facts: { kind?: string; session?: string | null; id?: string } =
      "row" in change ? change.row : change;
    return this.#owners.get(facts.session ?? facts.id ?? "");
  }
}
