import { escapeForTerminal } from "@signalbox/protocol/text";
import { printJsonLines } from "../terminal/json-line.ts";
import type { Pairing, RunnerView } from "@signalbox/api";
import { runConfirmed } from "../attach/run-confirmed.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { isLoopbackUrl } from "@signalbox/protocol/proxy";
import { dataHelp, dataOption, type LocalHub, connectLocalHub } from "../hub/local-hub.ts";
import { listMachines, pickMachine } from "../hub/machines.ts";
import { shortId } from "../hub/pick-session.ts";
import { formatTable } from "../hub/table.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions } from "../options.ts";
import { formatCount } from "../run/describe-tool.ts";
import { UsageError } from "../usage-error.ts";

export const machinesCommand: CliCommand = {
  help: `Usage: signalbox machines [--json]
       signalbox machines add
       signalbox machines remove MACHINE

Lists the machines that run agents. "add" creates a pairing code for another machine (single use,
expires in five minutes) and prints the command to run there. "remove" revokes a machine and ends
its agents. Start a session on a machine with \`signalbox new --machine NAME\`.

Adding and removing need an approver: the command shows two words, and you confirm this terminal
by them in the browser of an approver. You can also do both in that browser: Settings, Machines.

Options:
  --json             Print one JSON object per line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, json: { type: "boolean" } } as const;
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const [action, name, ...others] = positionals;
  const isKnown =
    action === undefined ||
    (action === "add" && name === undefined) ||
    (action === "remove" && name !== undefined);
  if (!isKnown || others.length > 0) {
    throw new UsageError(
      "Use `signalbox machines`, `signalbox machines add` or `signalbox machines remove MACHINE`.",
    );
  }
  using hub = await connectLocalHub(values.data);
  const runners = await hub.runners();
  if (action === "add") return await add(hub);
  if (name !== undefined) return await remove(hub, pickMachine(runners, name));
  const machines = listMachines(runners);
  if (values.json) printJsonLines(machines);
  else for (const line of formatMachineTable(machines)) console.log(line);
  return exitCode.success;
}

function formatMachineTable(machines: readonly RunnerView[]): string[] {
  return formatTable(
    machines.map((machine) => [
      shortId(machine),
      escapeForTerminal(machine.machine),
      machine.online ? "connected" : "offline",
      `${machine.runs} running`,
      machine.load
        ? `load ${machine.load.average.toFixed(2)} on ${formatCount(machine.load.cores, "core")}`
        : "",
      machine.version === undefined ? "" : `Signalbox ${escapeForTerminal(machine.version)}`,
      machine.own ? "hub's machine" : "",
    ]),
  );
}

function describePage(hub: LocalHub): string {
  return `do it on that device under Settings, Machines (${hub.url}/settings/machines)`;
}

async function add(hub: LocalHub): Promise<ExitCode> {
  const pairing = await runConfirmed(
    hub,
    { subject: "Adding a machine", elsewhere: describePage(hub) },
    (approver) => approver.createPairing("runner"),
  );
  for (const line of formatInstructions(pairing)) console.log(line);
  return exitCode.success;
}

/** Instructions for the other machine. The code is typed there, so that it is never on a command line. */
function formatInstructions({ code, url, expiresAt }: Pairing): string[] {
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const { origin } = new URL(url);
  return [
    "On the other machine, run:",
    `  npx signalbox runner --hub ${origin}`,
    `Enter this pairing code there (single use, expires in ${formatCount(minutes, "minute")}):`,
    `  ${code}`,
    ...(isLoopbackUrl(origin) ? [LOOPBACK_ONLY] : []),
  ];
}

const LOOPBACK_ONLY =
  "This hub only listens on this machine, so other machines cannot reach that address. Start the hub with --host, --name and TLS first (see `signalbox serve --help`).";

async function remove(hub: LocalHub, machine: RunnerView): Promise<ExitCode> {
  if (machine.own) {
    throw new CommandError(
      exitCode.refused,
      `${escapeForTerminal(machine.machine)} is the machine of the hub and cannot be removed.`,
    );
  }
  const subject = `Removing ${escapeForTerminal(machine.machine)}`;
  await runConfirmed(hub, { subject, elsewhere: describePage(hub) }, (approver) =>
    approver.revokeDevice(machine.id),
  );
  console.log(`Removed ${escapeForTerminal(machine.machine)}.`);
  return exitCode.success;
}
