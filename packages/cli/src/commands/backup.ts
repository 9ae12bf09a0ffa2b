import { escapeForTerminal } from "@signalbox/protocol/text";
import { BackupError, makeBackup } from "@signalbox/hub/backup";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption } from "../hub/local-hub.ts";
import type { CliCommand } from "../command.ts";
import { parseOptions, requireOneArgument } from "../options.ts";
import { formatCount } from "../run/describe-tool.ts";

export const backupCommand: CliCommand = {
  help: `Usage: signalbox backup FILE [options]

Writes all sessions, devices, settings and the audit log to one file, together with the other
files of the data folder. The hub can keep running. Restore it with \`signalbox restore FILE\`.

Only you can read the file (mode 0600). It contains all conversations. It does not contain logs,
the conversations that Claude Code keeps in its own folder, installed agent packages, the private
keys of the hub, or the secret values of environment profiles. Without the keys, a restored hub
keeps using the keys that are in its data folder; on another machine, or if the keys are lost,
every device has to be paired again. Secret values have to be entered again under Settings.

Options:
  --with-keys        Include the private keys and the secret values. Anyone who can read such a
                     file can impersonate this hub: store it like a password, where no agent can
                     read it
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, "with-keys": { type: "boolean" } } as const;
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  const file = requireOneArgument(positionals, "Specify one file to write.");
  try {
    const withKeys = values["with-keys"] === true;
    const made = makeBackup(resolveDataFolder(values.data), file, { withKeys });
    const mib = (made.bytes / 1024 ** 2).toFixed(1);
    console.log(
      `Backed up the database and ${formatCount(made.files, "other file")} to ${escapeForTerminal(made.file)} (${mib} MiB).`,
    );
    console.log(
      withKeys
        ? "It contains the private keys of the hub and the secrets of environment profiles. Anyone who can read it can impersonate this hub."
        : "It does not contain the private keys of the hub or the secrets of environment profiles. Use --with-keys to include them.",
    );
    return exitCode.success;
  } catch (failure) {
    if (failure instanceof BackupError) throw new CommandError(exitCode.refused, failure.message);
    throw failure;
  }
}
