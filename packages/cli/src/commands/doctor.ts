import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { Isolation } from "@signalbox/host/isolation";
import { resolveDataFolder, listSignalboxFolders } from "../hub/data-folder.ts";
import { checkAgent, checkLogin } from "../doctor/agent.ts";
import { type Check, getWorstState } from "../doctor/check.ts";
import { checkBackup } from "../doctor/database.ts";
import { checkDisk, checkDataFolder } from "../doctor/folder.ts";
import { checkHub } from "../doctor/hub.ts";
import { checkIsolation } from "../doctor/isolation.ts";
import { checkProgram } from "../doctor/program.ts";
import type { CliCommand } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { hangIndent } from "../terminal/layout.ts";
import { createStyle } from "../terminal/style.ts";

export const doctorCommand: CliCommand = {
  help: `Usage: signalbox doctor [options]

Checks what Signalbox needs: Claude Code, its version and whether it is signed in (no secret is
read), isolation, the data folder and its permissions, the port, free disk space, and, if a hub
is running, its database and its last backup. Changes nothing.

Options:
  --agent PATH       Claude Code program to check (default: the installed one)
  --port PORT        Port that \`signalbox serve\` would use (default: 8765)
  --data FOLDER      Data folder of the hub (default: $SIGNALBOX_DATA, then
                     $XDG_DATA_HOME/signalbox, then ~/.local/share/signalbox)
  --database         Let the hub check its whole database. Other requests wait meanwhile
  --json             Print one JSON object

Exit code: ${exitCode.success} no problem was found, ${exitCode.agentError} there is a problem.`,
  run,
};

const marks = { ok: "✓", warning: "!", problem: "✗" } as const;

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parseOptions({
    args,
    options: {
      agent: { type: "string" },
      port: { type: "string", default: "8765" },
      data: { type: "string" },
      database: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const folder = resolveDataFolder(values.data);
  const port = parseInteger("--port", values.port, 65_535);
  const isolation = new Isolation({ hide: () => listSignalboxFolders(folder) });
  const checks: Check[] = [
    checkProgram(),
    await checkAgent(values.agent, process.env, isolation),
    checkLogin(process.env),
    await checkIsolation(),
    ...checkDataFolder(folder),
    checkDisk(folder),
    ...(await checkHub(folder, port, values.database === true)),
    checkBackup(folder),
  ];
  const state = getWorstState(checks);
  if (values.json) console.log(formatJsonLine({ ok: state !== "problem", checks }));
  else print(checks);
  return state === "problem" ? exitCode.agentError : exitCode.success;
}

function print(checks: readonly Check[]): void {
  const style = createStyle(process.stdout, process.env);
  const paint = { ok: style.green, warning: style.yellow, problem: style.red };
  for (const { what, state, detail, remedy } of checks) {
    const columns = process.stdout.isTTY ? process.stdout.columns : Infinity;
    const first = `${paint[state](marks[state])} ${style.bold(what)}  `;
    console.log(hangIndent(escapeForTerminal(detail), first, columns));
    if (remedy !== undefined) console.log(hangIndent(escapeForTerminal(remedy), "  → ", columns));
  }
}
