import type { RunnerView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { shortId } from "./pick-session.ts";

/** The machines on which sessions can be started, without the runner in the hub for agents that dial in. */
export function listMachines(runners: readonly RunnerView[]): readonly RunnerView[] {
  return runners.filter(({ relay }) => relay !== true);
}

/** Finds a machine by its name or by the start of its id. */
export function pickMachine(runners: readonly RunnerView[], name: string): RunnerView {
  const machines = listMachines(runners);
  const text = name.trim().toLowerCase();
  const named = machines.filter(({ machine }) => machine.toLowerCase() === text);
  const found = named.length > 0 ? named : machines.filter(({ id }) => matchesPrefix(id, text));
  const [machine, ...others] = found;
  if (machine && others.length === 0) return machine;
  const list = (machine ? found : machines).map(
    (one) =>
      `  ${shortId(one)}  ${escapeForTerminal(one.machine)}${one.online ? "" : " (offline)"}`,
  );
  throw machine
    ? new CommandError(
        exitCode.usage,
        `Several machines match "${escapeForTerminal(name)}". Use the id of one:\n${list.join("\n")}`,
      )
    : new CommandError(
        exitCode.notFound,
        `No machine matches "${escapeForTerminal(name)}". Known machines:\n${list.join("\n")}\nAdd one with \`signalbox machines add\`.`,
      );
}

function matchesPrefix(id: string, text: string): boolean {
  return text !== "" && id.startsWith(text);
}

/** The names of the machines by the id of their runner; undefined if there is only one machine. */
export function getMachineNames(
  runners: readonly RunnerView[],
): ReadonlyMap<string, string> | undefined {
  if (listMachines(runners).length < 2) return undefined;
  return new Map(runners.map(({ id, machine }) => [id, machine]));
}
