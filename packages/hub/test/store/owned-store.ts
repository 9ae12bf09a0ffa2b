import { type Fence, type RunnerClaim, type Store, StoreError } from "@signalbox/hub/store";

/** A store whose runners can be claimed by other hubs, as one that several hubs share. */
export class OwnedStore {
  readonly #store: Store;
  readonly #tokens = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
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
          return (...[changes, fence]: Parameters<Store["commit"]>) =>
            fence && fence.token !== this.#tokens.get(fence.runner)
              ? Promise.reject(new StoreError("moved", "Another hub has claimed this runner."))
              : store.commit(changes, fence);
        }
        const value: unknown = store[name];
        return typeof value === "function" ? (value.bind(store) as unknown) : value;
      },
    });
  }
}
