import type { AllowedFoldersView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { isAbsolute, resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption, type LocalHub } from "../hub/local-hub.ts";
import { pickMachine } from "../hub/machines.ts";
import { formatTable } from "../hub/table.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";
import { changeSetting } from "./change.ts";

export const allowedFoldersSection: CliCommand = {
  help: `Usage: signalbox config allowed-folders [list] [--machine NAME] [--json]
       signalbox config allowed-folders add FOLDER [--machine NAME]
       signalbox config allowed-folders remove FOLDER [--machine NAME]
       signalbox config allowed-folders reset [--machine NAME]

Shows and changes the folders below which drivers, such as the command line, can start sessions.
"reset" allows the home folder again, as if none had been set. Folders in which an approver has
started a session are always allowed.

Changes need an admin, whose device confirms this terminal.

Options:
  --machine NAME     Machine of the folders (default: the hub's machine; all for list)
  --json             Print JSON
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
  const isKnown =
    folder === undefined ? ["list", "reset"].includes(action) : ["add", "remove"].includes(action);
  if (!isKnown || others.length > 0) {
    throw new UsageError("Use list, add FOLDER, remove FOLDER or reset.");
  }
  using hub = await connectLocalHub(values.data);
  const runners = await hub.runners();
  const named = values.machine === undefined ? undefined : pickMachine(runners, values.machine);
  const all = await hub.allowedFolders();
  if (action === "list") {
    const shown = named ? all.filter(({ runner }) => runner === named.id) : all;
    if (values.json) console.log(formatJsonLine(shown));
    else for (const line of formatTable(shown.flatMap(listFolders))) console.log(line);
    return exitCode.success;
  }
  const machine = named ?? runners.find(({ own }) => own);
  const allowed = all.find(({ runner }) => runner === machine?.id);
  if (!machine || !allowed) {
    throw new CommandError(exitCode.notFound, "The hub's machine is not connected.");
  }
  await change(hub, allowed, nextFolders(action, folder, allowed, machine.own));
  const after = (await hub.allowedFolders()).find(({ runner }) => runner === machine.id);
  for (const line of formatTable(after ? listFolders(after) : [])) console.log(line);
  return exitCode.success;
}

function listFolders({ machine, folders, isDefault, fromSessions }: AllowedFoldersView) {
  const row = (folder: string, why: string) => [
    escapeForTerminal(machine),
    escapeForTerminal(folder),
    why,
  ];
  return [
    ...folders.map((folder) => row(folder, isDefault ? "home folder" : "")),
    ...fromSessions.map((folder) => row(folder, "an approver has started a session there")),
  ];
}

/** The folders after a change; null stands for the home folder. */
function nextFolders(
  action: string,
  folder: string | undefined,
  { folders, isDefault }: AllowedFoldersView,
  isHere: boolean,
): string[] | null {
  if (folder === undefined) return null;
  if (!isHere && !isAbsolute(folder)) {
    throw new UsageError("Specify the folder on that machine as an absolute path.");
  }
  const path = isHere ? resolve(folder) : folder;
  if (action === "add") return [...new Set([...folders, path])];
  if (!isDefault && folders.includes(path)) return folders.filter((each) => each !== path);
  throw new CommandError(
    exitCode.notFound,
    `${escapeForTerminal(path)} is not in the list of allowed folders.`,
  );
}

async function change(
  hub: LocalHub,
  { runner, machine }: AllowedFoldersView,
  folders: string[] | null,
): Promise<void> {
  const subject = `Changing the allowed folders of ${escapeForTerminal(machine)}`;
  await changeSetting(hub, { subject, section: "trust" }, (admin) =>
    admin.setAllowedFolders({ runner, folders }),
  );
}
