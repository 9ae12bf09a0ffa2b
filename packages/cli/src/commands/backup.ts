import { escapeForTerminal } from "@signalbox/protocol/text";
import { BackupRefused, makeBackup } from "@signalbox/hub";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { Failure } from "../failure.ts";
import { dataFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption } from "../hub/local-hub.ts";
import type { Command } from "../main.ts";
import { parsed } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const backupCommand: Command = {
  help: `Usage: signalbox backup FILE

Writes one file with everything the hub needs: all sessions, devices, settings and the audit as
they are at this moment, and the other files of the data folder. The hub may run meanwhile.
\`signalbox restore FILE\` brings it back.

The file can be read by you alone (0600). It holds credentials and all that was said: keep it as
you keep passwords. Not in it: logs, the conversations that Claude Code itself keeps in its home,
and agents that were installed as packages.

${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parsed({ args, allowPositionals: true, options: dataOption });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("Name one file to write.");
  try {
    const made = makeBackup(dataFolder(values.data), file);
    const mib = (made.bytes / 1024 ** 2).toFixed(1);
    console.log(
      `${escapeForTerminal(made.file)}: ${mib} MiB, the database and ${made.files} other files.`,
    );
    return exitCode.success;
  } catch (failure) {
    if (failure instanceof BackupRefused) throw new Failure(exitCode.refused, failure.message);
    throw failure;
  }
}
