import type { RunnerView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { shortId } from "./pick-session.ts";

/** The machines on which sessions can be started: not the one inside the hub, for agents that dial in. */
export function listMachines(runners: readonly RunnerView[]): readonly RunnerView[] {
  return runners.filter(({ relay }) => relay !== true);
}

/** The machine that a person means: by its name, or by the beginning of its id. */
export function pickMachine(runners: readonly RunnerView[], meant: string): RunnerView {
  const machines = listMachines(runners);
  const text = meant.trim().toLowerCase();
  const named = machines.filter(({ machine }) => machine.toLowerCase() === text);
  const found = named.length > 0 ? named : machines.filter(({ id }) => matchesPrefix(id, text));
  const [machine, ...others] = found;
  if (machine && others.length === 0) return machine;
  const list = (machine ? found : machines).map(
    (one) => `  ${shortId(one)}  ${escapeForTerminal(one.machine)}${one.online ? "" : " (away)"}`,
  );
  throw machine
    ? new CommandError(
        exitCode.usage,
        `"${escapeForTerminal(meant)}" may be any of these; name one by its id:\n${list.join("\n")}`,
      )
    : new CommandError(
        exitCode.notFound,
        `There is no machine "${escapeForTerminal(meant)}". These are known:\n${list.join("\n")}\nAnother is added with \`signalbox machines add\`.`,
      );
}

function matchesPrefix(id: string, text: string): boolean {
  return text !== "" && id.startsWith(text);
}

/** What each machine is called, by its runner's id, where there are several; undefined where there is one. */
export function getMachineNames(
  runners: readonly RunnerView[],
): ReadonlyMap<string, string> | undefined {
  if (listMachines(runners).length < 2) return undefined;
  return new Map(runners.map(({ id, machine }) => [id, machine]));
}
