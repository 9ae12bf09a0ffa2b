import type { TrustDecision } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { getMachineNames } from "../hub/machines.ts";
import { formatTable } from "../hub/table.ts";
import { formatTimestamp } from "../hub/times.ts";
import { parseOptions } from "../options.ts";
import { printJsonLines } from "../terminal/json-line.ts";
import { runTrust } from "../trust/run-trust.ts";
import { UsageError } from "../usage-error.ts";

export const trustSection: CliCommand = {
  help: `Usage: signalbox config trust [list] [--json]
       signalbox config trust revoke FOLDER [--machine NAME]

Lists what was decided about folders that bring code of their own, or stops trusting one from the
next run of each session. To see what a folder would run and to trust it, use \`signalbox trust\`.

Options:
  --machine NAME     Machine of the folder, as \`signalbox machines\` lists it
  --json             Print one JSON object per line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, machine: { type: "string" }, json: { type: "boolean" } },
  });
  const [action = "list", folder, ...others] = positionals;
  if (action === "revoke" && folder !== undefined && others.length === 0) {
    const { data, machine } = values;
    return await runTrust([
      "--revoke",
      ...(data === undefined ? [] : ["--data", data]),
      ...(machine === undefined ? [] : ["--machine", machine]),
      "--",
      folder,
    ]);
  }
  if (action !== "list" || folder !== undefined) {
    throw new UsageError("Use list or revoke FOLDER.");
  }
  using hub = await connectLocalHub(values.data);
  const [decisions, runners] = await Promise.all([hub.trustDecisions(), hub.runners()]);
  const machines = getMachineNames(runners);
  if (values.json) printJsonLines(decisions);
  else {
    const rows = decisions.map((decision) => formatDecision(decision, machines));
    for (const line of formatTable(rows)) console.log(line);
  }
  return exitCode.success;
}

function formatDecision(
  { runner, folder, decision, by, at }: TrustDecision,
  machines: ReadonlyMap<string, string> | undefined,
): string[] {
  const cells = [
    decision === "trusted" ? "trusted" : "off",
    folder,
    machines?.get(runner) ?? "",
    `by ${by}`,
    formatTimestamp(at),
  ];
  return cells.map((cell) => escapeForTerminal(cell));
}
