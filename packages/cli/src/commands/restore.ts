import { escapeForTerminal } from "@signalbox/protocol/text";
import { BackupError, restoreBackup } from "@signalbox/hub/backup";
import { FolderLockedError, FolderRefusedError } from "@signalbox/hub/data";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption } from "../hub/local-hub.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const restoreCommand: Command = {
  help: `Usage: signalbox restore FILE

Puts a backup of \`signalbox backup\`, or a database that a hub has saved by itself, in the place
of what the hub has now. Refused while the hub or its runner works: stop the hub first, then run
\`signalbox stop --all\`. What was there before is moved to a folder in the data folder and stays.

Devices are let in as they were when the backup was made: whoever was taken away since then is
back, so look at \`signalbox devices\` afterwards. \`signalbox audit --verify\` says that entries
which a device has seen are missing, which is true.

The hub's private keys come from the backup, if it was made --with-keys, else from the folder, if
the same hub was there and its audit goes on in the backup. Else the hub makes itself new ones, and
every browser, machine and program has to be paired again: \`signalbox serve\` prints the link for the first.

${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: dataOption,
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("Name one file to restore.");
  const folder = resolveDataFolder(values.data);
  try {
    const { previousState: aside, madeAt, files, keys } = await restoreBackup(folder, file);
    const when = madeAt === undefined ? "" : ` of ${new Date(madeAt).toLocaleString()}`;
    console.log(`The backup${when} is in ${escapeForTerminal(folder)}, with ${files} other files.`);
    if (aside !== undefined)
      console.log(`What was there before is kept in ${escapeForTerminal(aside)}.`);
    if (keys === "none") {
      console.log(
        "The backup has no private keys, and the folder has none that fit it, so nobody who was let in before can know this hub: their devices were removed. Pair every browser, machine and program again; the hub prints the link for the first when it starts.",
      );
    }
    console.log("Start the hub with `signalbox serve`.");
    return exitCode.success;
  } catch (failure) {
    if (failure instanceof FolderLockedError) {
      const what = "Stop the hub, run `signalbox stop --all`, then restore again.";
      throw new CommandError(exitCode.refused, `${failure.message} ${what} Nothing was changed.`);
    }
    const isPlain = failure instanceof BackupError || failure instanceof FolderRefusedError;
    if (isPlain) throw new CommandError(exitCode.refused, failure.message);
    throw failure;
  }
}
