import type { RunnerView } from "@signalbox/api";

interface PairedRunner {
  readonly id: string;
  readonly name: string;
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
