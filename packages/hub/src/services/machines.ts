import type { RunnerView } from "@signalbox/api";
import type { Order } from "@signalbox/api/link";
import { createMachineAwayRefusal } from "../link/runner-link.ts";
import { createNoSuchRunnerRefusal, type RunnerLinks } from "../link/runner-links.ts";

interface PairedRunner {
  readonly id: string;
  readonly name: string;
}

export interface MachinesOptions {
  readonly links: RunnerLinks;
  /** The id of the runner that the hub starts by itself. */
  readonly ownRunner: string;
  /** The id of the runner inside the hub, for agents that dial in. */
  readonly relayRunner: string | undefined;
  /** Runners of other machines that were let in, whether they are connected or not. */
  readonly listPaired: () => readonly PairedRunner[];
  /** How many runs of a runner are alive. */
  readonly countRuns: (runner: string) => number;
}

/** The machines that sessions can be on, and the way to ask one of them something. */
export class Machines {
  readonly #options: MachinesOptions;

  constructor(options: MachinesOptions) {
    this.#options = options;
  }

  list(): RunnerView[] {
    const { links, ownRunner, relayRunner, listPaired, countRuns } = this.#options;
    const others = listPaired().filter(({ id }) => id !== ownRunner);
    const connected = links
      .listViews(countRuns)
      .map((view) => (view.id === relayRunner ? { ...view, relay: true } : view));
    return listMachines(connected, others, countRuns);
  }

  /** What a person calls each runner that a session can name, by its id. */
  listNames(): ReadonlyMap<string, string> {
    const { ownRunner, relayRunner, listPaired } = this.#options;
    return new Map([
      ...listPaired().map(({ id, name }) => [id, name] as const),
      ...this.list().map(({ id, machine }) => [id, machine] as const),
      ...(relayRunner === undefined ? [] : [[relayRunner, "agents that dial in"] as const]),
      [ownRunner, "the hub's own"] as const,
    ]);
  }

  /** Has a runner carry out an order that concerns no run. Without a runner: the one of the hub's machine. */
  sendOrder(runner: string | undefined, order: Order): Promise<unknown> {
    const { links } = this.#options;
    const link = runner === undefined ? links.own : links.get(runner);
    if (link) return link.sendOrder(crypto.randomUUID(), order);
    const names = this.listNames();
    const isKnown = runner === undefined || names.has(runner);
    return Promise.reject(
      isKnown ? createMachineAwayRefusal() : createNoSuchRunnerRefusal(404, runner, names),
    );
  }
}

/**
 * The machines that agents run on, each with a name that no other has: people and commands choose a
 * machine by its name. `met` are those that are or were connected since the hub started. A machine that
 * was paired and has not come since is listed, too, as away. A machine goes by the name that it gives
 * itself, unless another has that one: then by the name it was paired under, which is its own alone.
 */
export function listMachines(
  connected: readonly RunnerView[],
  paired: readonly PairedRunner[],
  runs: (runner: string) => number,
): RunnerView[] {
  const names = new Map(paired.map(({ id, name }) => [id, name]));
  const known = new Set(connected.map(({ id }) => id));
  const away = paired
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => ({
      id,
      machine: name,
      own: false,
      online: false,
      since: 0,
      runs: runs(id),
    }));
  const all = [...connected, ...away];
  const isShared = ({ id, machine }: RunnerView) =>
    all.some((other) => other.id !== id && isSame(other.machine, machine));
  return all.map((view) => {
    const name = view.own || !isShared(view) ? undefined : names.get(view.id);
    return name === undefined ? view : { ...view, machine: name };
  });
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
