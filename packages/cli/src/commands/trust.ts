import type { CliCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { dataHelp } from "../hub/local-hub.ts";
import { runTrust } from "../trust/run-trust.ts";

export const trustCommand: CliCommand = {
  help: `Usage: signalbox trust [FOLDER] [options]

Shows what a folder would run if its own settings were used (hooks, MCP servers, helpers,
variables, permission rules), and whether the folder is trusted. Until it is, sessions in it run
without its settings and MCP servers. Answer yes to trust it, then confirm this terminal on an
approver's device. The page asks the same question above the message box of every session in the
folder.

Options:
  --machine NAME     Machine of the folder, as \`signalbox machines\` lists it
  --revoke           Stop trusting the folder, from the next run of each session
  --json             Print the findings as one JSON object and do not ask
${dataHelp}

Exit code: ${exitCode.success} the folder is trusted or brings no code, ${exitCode.refused} it is not trusted.`,
  run: runTrust,
};
