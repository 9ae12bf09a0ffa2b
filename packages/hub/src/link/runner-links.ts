import { hostname } from "node:os";
import type { RunnerView } from "@signalbox/api";
import { HubRefusal } from "../refusal.ts";
import type { Fence } from "../store/store.ts";
import type { RunnerLink } from "./runner-link.ts";

/**
 * The runners that are or were connected, and the one that should be. Only the newest connection of a runner
 * counts.
 */
export class RunnerLinks {
  readonly #links = new Map<string, RunnerLink>();
  readonly #expected: RunnerView[];
  /** Of each runner that this hub has claimed, also while it is away: its lines may still be on their way. */
  readonly #fences = new Map<string, Fence>();

  /** `awaited` is the id of the runner that the hub itself starts, if it does. */
  constructor(awaited?: string) {
    const own = { machine: hostname(), own: true, online: false, since: Date.now(), runs: 0 };
    this.#expected = awaited === undefined ? [] : [{ id: awaited, ...own }];
  }

  /** Adds a connection. It replaces the runner's previous one, whose end then has no effect. */
  add(link: RunnerLink): RunnerLink | undefined {
    const before = this.#links.get(link.runner);
    this.#links.set(link.runner, link);
    return before === link ? undefined : before;
  }

  setFence(fence: Fence): void {
    this.#fences.set(fence.runner, fence);
  }
  getFence(runner: string): Fence | undefined {
    return this.#fences.get(runner);
  }

  /** Whether this is the runner's current connection. */
  isCurrent(link: RunnerLink): boolean {
    return this.#links.get(link.runner) === link;
  }

  get(runner: string): RunnerLink | undefined {
    const link = this.#links.get(runner);
    return link?.closed ? undefined : link;
  }

  listOpen(): readonly RunnerLink[] {
    return [...this.#links.values()].filter((link) => !link.closed);
  }

  /** The hub's own runner, on which sessions run unless they name another. */
  get own(): RunnerLink | undefined {
    return [...this.#links.values()].find((link) => link.own && !link.closed);
  }

  /** Removes a runner that was revoked. */
  remove(runner: string): void {
    this.#links.delete(runner);
  }

  listViews(runs: (runner: string) => number): RunnerView[] {
    const missing = this.#expected.filter(({ id }) => !this.#links.has(id));
    const met = [...this.#links.values()].map(({ view }) => ({ ...view, runs: runs(view.id) }));
    return [...missing, ...met];
  }
}

/** The refusal for a runner that does not exist. `known` has the display name of each runner, by its id. */
export function createNoSuchRunnerRefusal(
  status: 404 | 422,
  runner: string,
  known: ReadonlyMap<string, string>,
): HubRefusal {
  const names = [...known].map(([id, name]) => `${id} (${name})`).join(", ");
  const detail = `The runner "${runner}" does not exist. Choose one of: ${names}.`;
  return new HubRefusal(status, "no-such-runner", detail);
}
