import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import type { HubClient } from "@signalbox/client";
import type { Pairing, RunnerView } from "@signalbox/api";
import { elevateTerminal } from "../attach/elevation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { isLoopback } from "../hub/hub-address.ts";
import { dataHelp, dataOption, type LocalHub, connectLocalHub } from "../hub/local-hub.ts";
import { listMachines, pickMachine } from "../hub/machines.ts";
import { shortId } from "../hub/pick-session.ts";
import { formatTable } from "../hub/table.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const machinesCommand: Command = {
  help: `Usage: signalbox machines [--json]
       signalbox machines add
       signalbox machines remove MACHINE

Shows the machines that agents run on. "add" makes a code with which one more machine is let
in, once, within five minutes, and prints the command to run there. "remove" takes a machine's
key away; its agents end. \`signalbox new --machine NAME\` starts a session on one of them.

Both take an approver: the command shows two words, and you confirm this terminal by them in a
browser that decides. In that browser the same is done without a terminal: Settings, "Machines".

  --json            one JSON object a line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, json: { type: "boolean" } } as const;
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const [action, meant, ...more] = positionals;
  const isKnown =
    action === undefined ||
    (action === "add" && meant === undefined) ||
    (action === "remove" && meant !== undefined);
  if (!isKnown || more.length > 0) {
    throw new UsageError(
      "Say `signalbox machines`, `signalbox machines add`, or `signalbox machines remove MACHINE`.",
    );
  }
  using hub = await connectLocalHub(values.data);
  const runners = await hub.runners();
  if (action === "add") return await add(hub);
  if (meant !== undefined) return await remove(hub, pickMachine(runners, meant));
  const machines = listMachines(runners);
  if (values.json) for (const machine of machines) console.log(formatJsonLine(machine));
  else for (const line of formatMachineTable(machines)) console.log(line);
  return exitCode.success;
}

function formatMachineTable(machines: readonly RunnerView[]): string[] {
  return formatTable(
    machines.map((machine) => [
      shortId(machine),
      escapeForTerminal(machine.machine),
      machine.online ? "connected" : "away",
      `${machine.runs} running`,
      machine.own ? "the hub's own" : "",
    ]),
  );
}

async function add(hub: LocalHub): Promise<ExitCode> {
  const pairing = await runAsApprover(hub, "add a machine", (approver) =>
    approver.createPairing("runner"),
  );
  for (const line of formatInstructions(pairing)) console.log(line);
  return exitCode.success;
}

/** What to do on the other machine. The code is typed there, and stands on no command line. */
function formatInstructions({ code, url, expiresAt }: Pairing): string[] {
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const { origin } = new URL(url);
  return [
    "On the other machine, where Signalbox is installed, run:",
    `  npx signalbox runner --hub ${origin}`,
    `and give it this code when it asks (works once, within ${minutes} minutes):`,
    `  ${code}`,
    ...(isLoopback(origin) ? [LOOPBACK_ONLY] : []),
  ];
}

const LOOPBACK_ONLY =
  "This hub listens on this machine alone, so no other machine reaches that address. Start the hub with --host, --name and TLS first: `signalbox serve --help`.";

async function remove(hub: LocalHub, machine: RunnerView): Promise<ExitCode> {
  if (machine.own) {
    throw new CommandError(
      exitCode.refused,
      `${escapeForTerminal(machine.machine)} is the hub's own machine, which cannot be removed.`,
    );
  }
  await runAsApprover(hub, `remove ${escapeForTerminal(machine.machine)}`, (approver) =>
    approver.revokeDevice(machine.id),
  );
  console.log(`${escapeForTerminal(machine.machine)} is no longer let in.`);
  return exitCode.success;
}

/**
 * Does what takes an approver, after an approver's device has confirmed this terminal: the command line
 * is a driver, since whatever a shell can type an agent can type, too.
 */
async function runAsApprover<T>(
  hub: LocalHub,
  what: string,
  act: (approver: HubClient) => Promise<T>,
): Promise<T> {
  const elsewhere = "In the page of a device that decides: Settings, Machines.";
  if (!process.stdin.isTTY) {
    const why = `It takes an approver to ${what}, and nobody can confirm a command that has no terminal.`;
    throw new CommandError(
      exitCode.refused,
      `${why} Run it in a terminal, or do it there: ${elsewhere}`,
    );
  }
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once("SIGINT", onInterrupt);
  try {
    const told = (words: string) =>
      console.error(
        `It takes an approver to ${what}. Confirm this terminal on a device that decides (its board shows these words): ${words}\nOr do it without a terminal. ${elsewhere}`,
      );
    const elevation = await elevateTerminal(hub, told, interrupted.signal);
    if (elevation === "refused" || elevation === "expired") {
      const why = elevation === "refused" ? "was not confirmed" : "was not confirmed in time";
      throw new CommandError(exitCode.refused, `This terminal ${why}. ${elsewhere}`);
    }
    using _ = elevation;
    return await act(elevation.hub);
  } catch (failure) {
    if (!interrupted.signal.aborted) throw failure;
    throw new CommandError(exitCode.interrupted, "Interrupted; nothing was changed.");
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
