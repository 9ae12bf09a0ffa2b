import type { RunnerView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { exitCode } from "../exit-code.ts";
import { Failure } from "../failure.ts";
import { shortId } from "./pick-session.ts";

/** The machines on which sessions can be started: not the one inside the hub, for agents that dial in. */
export function machinesOf(runners: readonly RunnerView[]): readonly RunnerView[] {
  return runners.filter(({ relay }) => relay !== true);
}

/** The machine that a person means: by its name, or by the beginning of its id. */
export function pickMachine(runners: readonly RunnerView[], meant: string): RunnerView {
  const machines = machinesOf(runners);
  const text = meant.trim().toLowerCase();
  const named = machines.filter(({ machine }) => machine.toLowerCase() === text);
  const found = named.length > 0 ? named : machines.filter(({ id }) => begins(id, text));
  const [machine, ...others] = found;
  if (machine && others.length === 0) return machine;
  const list = (machine ? found : machines).map(
    (one) => `  ${shortId(one)}  ${escapeForTerminal(one.machine)}${one.online ? "" : " (away)"}`,
  );
  throw machine
    ? new Failure(
        exitCode.usage,
        `"${escapeForTerminal(meant)}" may be any of these; name one by its id:\n${list.join("\n")}`,
      )
    : new Failure(
        exitCode.notFound,
        `There is no machine "${escapeForTerminal(meant)}". These are known:\n${list.join("\n")}\nAnother is added with \`signalbox machines add\`.`,
      );
}

function begins(id: string, text: string): boolean {
  return text !== "" && id.startsWith(text);
}

/** What each machine is called, by its runner's id, where there are several; undefined where there is one. */
export function machineNames(
  runners: readonly RunnerView[],
): ReadonlyMap<string, string> | undefined {
  if (machinesOf(runners).length < 2) return undefined;
  return new Map(runners.map(({ id, machine }) => [id, machine]));
}
