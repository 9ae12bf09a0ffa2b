import { realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { ImportMachine, ImportStatus } from "@signalbox/api";
import type { HubClient } from "@signalbox/client";
import { escapeForTerminal } from "@signalbox/protocol/text";
import type { CliCommand } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";

const LOOK_MS = 500;

export const importCommand: CliCommand = {
  help: `Usage: signalbox import [options] [PATH]

Imports the sessions of Claude Code: lists them under their projects and copies them into
Signalbox, also those that Claude Code is about to delete. The hub does so in the background by
itself; this command does it now, at full speed, and waits for it.

PATH is a folder of Claude Code's configuration, as CLAUDE_CONFIG_DIR names it, or anything in its
folder "projects". It is added to the settings.

Options:
  --status           Only show how far the import is
  --json             Print the status as JSON
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, status: { type: "boolean" }, json: { type: "boolean" } },
  });
  const [path, ...others] = positionals;
  if (others.length > 0) throw new UsageError("Specify one path.");
  if (path !== undefined && values.status) throw new UsageError("--status takes no path.");
  const folder = path === undefined ? undefined : findConfigFolder(path);
  using hub = await connectLocalHub(values.data);
  const status = values.status ? await hub.importStatus() : await importAll(hub, folder);
  if (values.json) console.log(formatJsonLine(status));
  else for (const line of formatStatus(status)) console.log(line);
  return exitCode.success;
}

async function importAll(hub: HubClient, folder: string | undefined): Promise<ImportStatus> {
  let status = await hub.importNow(folder === undefined ? {} : { folder });
  const isBusy = ({ state }: ImportMachine) => state === "listing" || state === "copying";
  while (status.machines.some(isBusy)) {
    await Bun.sleep(LOOK_MS);
    status = await hub.importStatus();
  }
  return status;
}

/** The folder of the configuration that a path is in, by the folder `projects` that it has. */
function findConfigFolder(path: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    throw new CommandError(exitCode.notFound, `${escapeForTerminal(path)} does not exist.`);
  }
  if (statSync(`${real}/projects`, { throwIfNoEntry: false })?.isDirectory()) return real;
  for (let each = real; dirname(each) !== each; each = dirname(each)) {
    if (basename(each) === "projects") return dirname(each);
  }
  throw new CommandError(
    exitCode.usage,
    `${escapeForTerminal(path)} is in no folder "projects" of a configuration of Claude Code. Put transcripts into FOLDER/projects/PROJECT and name FOLDER.`,
  );
}

function formatStatus({ on, machines }: ImportStatus): string[] {
  if (!on) return ["The import is switched off. `signalbox config import on` switches it on."];
  return machines.flatMap(({ machine, state, sessions, copied, problems }) => [
    `${escapeForTerminal(machine)}: ${copied} of ${sessions} sessions copied (${describe(state)})`,
    ...problems.map(({ path, why }) => `  ${escapeForTerminal(path)}: ${escapeForTerminal(why)}`),
  ]);
}

function describe(state: ImportMachine["state"]): string {
  const words: Partial<Record<ImportMachine["state"], string>> = {
    paused: "paused, because the machine runs on its battery",
    away: "not connected",
    done: "up to date",
    "too-old": "the runner there is too old",
  };
  return words[state] ?? state;
}
