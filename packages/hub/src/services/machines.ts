import type { RunnerView } from "@signalbox/api";
import type { Order } from "@signalbox/api/link";
import { createMachineAwayRefusal } from "../link/runner-link.ts";
import { createNoSuchRunnerRefusal, type RunnerLinks } from "../link/runner-links.ts";

interface PairedRunner {
  readonly id: string;
  readonly name: string;
}

interface MachinesOptions {
  readonly links: RunnerLinks;
  /** The id of the runner that the hub itself starts. */
  readonly ownRunner: string;
  /** The id of the runner inside the hub that serves agents which dial in. */
  readonly relayRunner: string | undefined;
  /** The paired runners of other machines, whether they are connected or not. */
  readonly listPaired: () => readonly PairedRunner[];
  /** How many runs are alive on a runner. */
  readonly countRuns: (runner: string) => number;
}

/** The machines that sessions can be on, and how to send one of them an order. */
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

  /** The display name of each runner that a session can name, by the runner's id. */
  listNames(): ReadonlyMap<string, string> {
    const { ownRunner, relayRunner, listPaired } = this.#options;
    return new Map([
      ...listPaired().map(({ id, name }) => [id, name] as const),
      ...this.list().map(({ id, machine }) => [id, machine] as const),
      ...(relayRunner === undefined ? [] : [[relayRunner, "agents that dial in"] as const]),
      [ownRunner, "the hub's own"] as const,
    ]);
  }

  /**
   * Sends a runner an order that concerns no run. Without a runner it goes to the one on the hub's machine.
   * The same id again is the same order, which is not carried out twice.
   */
  sendOrder(
    runner: string | undefined,
    order: Order,
    id: string = crypto.randomUUID(),
  ): Promise<unknown> {
    const { links } = this.#options;
    const link = runner === undefined ? links.own : links.get(runner);
    if (link) return link.sendOrder(id, order);
    const names = this.listNames();
    const isKnown = runner === undefined || names.has(runner);
    return Promise.reject(
      isKnown ? createMachineAwayRefusal() : createNoSuchRunnerRefusal(404, runner, names),
    );
  }
}

/**
 * The machines that agents run on, each with a unique name, since people and commands choose a machine by its
 * name. `met` are those that have been connected since the hub started; a paired machine that has not
 * connected since then is listed as away. A machine has the name that it reports, unless another one has that
 * name already: then it has the unique name under which it was paired.
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
