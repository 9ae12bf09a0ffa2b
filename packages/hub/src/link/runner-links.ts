import { hostname } from "node:os";
import type { RunnerView } from "@signalbox/api";
import { Refusal } from "../refusal.ts";
import type { RunnerLink } from "./runner-link.ts";

/**
 * The runners that are or were connected, and the one that should be. The newest connection of a runner
 * is the one that counts.
 */
export class RunnerLinks {
  readonly #links = new Map<string, RunnerLink>();
  readonly #expected: RunnerView[];

  /** `awaited`: the one that the hub starts by itself, if it does. */
  constructor(awaited?: string) {
    const own = { machine: hostname(), own: true, online: false, since: Date.now(), runs: 0 };
    this.#expected = awaited === undefined ? [] : [{ id: awaited, ...own }];
  }

  /** The runner's new connection takes the place of its last, whose end means nothing any more. */
  add(link: RunnerLink): RunnerLink | undefined {
    const before = this.#links.get(link.runner);
    this.#links.set(link.runner, link);
    return before === link ? undefined : before;
  }

  /** Whether it was the one that counts. */
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

  /** The hub's own, where sessions run unless they name another. */
  get own(): RunnerLink | undefined {
    return [...this.#links.values()].find((link) => link.own && !link.closed);
  }

  /** It was taken away. */
  remove(runner: string): void {
    this.#links.delete(runner);
  }

  listViews(runs: (runner: string) => number): RunnerView[] {
    const missing = this.#expected.filter(({ id }) => !this.#links.has(id));
    const met = [...this.#links.values()].map(({ view }) => ({ ...view, runs: runs(view.id) }));
    return [...missing, ...met];
  }
}

/** For a runner that nobody knows; `known`: what a person calls each that there is, by its id. */
export function createNoSuchRunnerRefusal(
  status: 404 | 422,
  runner: string,
  known: ReadonlyMap<string, string>,
): Refusal {
  const names = [...known].map(([id, name]) => `${id} (${name})`).join(", ");
  const detail = `The runner "${runner}" does not exist. Choose one of: ${names}.`;
  return new Refusal(status, "no-such-runner", detail);
}
