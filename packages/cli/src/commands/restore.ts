import { escapeForTerminal } from "@signalbox/protocol/text";
import { BackupError, restoreBackup } from "@signalbox/hub/backup";
import { FolderLockedError, FolderRefusedError } from "@signalbox/hub/data";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption } from "../hub/local-hub.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions, requireOneArgument } from "../options.ts";
import { formatCount } from "../run/describe-tool.ts";

export const restoreCommand: CliCommand = {
  help: `Usage: signalbox restore FILE [options]

Replaces the hub's data with a backup made by \`signalbox backup\`, or with a database that a hub
saved by itself. Stop the hub first, then run \`signalbox stop --all\`; restore refuses to start
while the hub or its runner is running. The replaced data is moved to a subfolder of the data
folder and kept.

Devices are restored as they were when the backup was made. A device that was revoked since then
is paired again: check \`signalbox devices\` afterwards. \`signalbox audit --verify\` will report
entries that are missing because they are newer than the backup.

Private keys come from the backup if it was made --with-keys, otherwise from the data folder if
it belongs to the same hub and the audit log of the backup continues there. If there are none, the
hub creates new keys, and every browser, machine and program has to be paired again:
\`signalbox serve\` prints the link for the first one.

Options:
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: dataOption,
  });
  const file = requireOneArgument(positionals, "Specify one file to restore.");
  const folder = resolveDataFolder(values.data);
  try {
    const { previousState: aside, madeAt, files, keys } = await restoreBackup(folder, file);
    const when = madeAt === undefined ? "" : ` from ${new Date(madeAt).toLocaleString()}`;
    console.log(
      `Restored the backup${when} to ${escapeForTerminal(folder)}: the database and ${formatCount(files, "other file")}.`,
    );
    if (aside !== undefined)
      console.log(`The previous data was moved to ${escapeForTerminal(aside)}.`);
    if (keys === "none") {
      console.log(
        "Neither the backup nor the data folder contains the private keys of this hub, so all paired devices were removed. Pair every browser, machine and program again. The hub prints the link for the first one when it starts.",
      );
    }
    console.log("Start the hub with `signalbox serve`.");
    return exitCode.success;
  } catch (failure) {
    if (failure instanceof FolderLockedError) {
      const remedy = "Stop the hub, run `signalbox stop --all`, then try again.";
      throw new CommandError(exitCode.refused, `${failure.message} ${remedy} Nothing was changed.`);
    }
    const isPlain = failure instanceof BackupError || failure instanceof FolderRefusedError;
    if (isPlain) throw new CommandError(exitCode.refused, failure.message);
    throw failure;
  }
}
