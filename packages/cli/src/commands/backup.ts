import { escapeForTerminal } from "@signalbox/protocol/text";
import { BackupError, makeBackup } from "@signalbox/hub/backup";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { resolveDataFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption } from "../hub/local-hub.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { UsageError } from "../usage-error.ts";

export const backupCommand: Command = {
  help: `Usage: signalbox backup FILE [--with-keys]

Writes one file with everything the hub needs: all sessions, devices, settings and the audit as
they are at this moment, and the other files of the data folder. The hub may run meanwhile.
\`signalbox restore FILE\` brings it back.

The file can be read by you alone (0600); it holds all that was said. Not in it: logs, the
conversations that Claude Code itself keeps in its home, agents that were installed as packages,
and the private keys of the hub. Restored where the hub was, it goes on with the keys that are
there; on another machine, or where they are lost, everybody has to be paired again.

  --with-keys       the private keys, too: whoever reads the file can pass for this hub. Keep it
                    as you keep passwords, and where no agent can read it
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, "with-keys": { type: "boolean" } } as const;
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError("Name one file to write.");
  try {
    const withKeys = values["with-keys"] === true;
    const made = makeBackup(resolveDataFolder(values.data), file, { withKeys });
    const mib = (made.bytes / 1024 ** 2).toFixed(1);
    console.log(
      `${escapeForTerminal(made.file)}: ${mib} MiB, the database and ${made.files} other files.`,
    );
    console.log(
      withKeys
        ? "It holds the hub's private keys: whoever reads it can pass for this hub."
        : "The hub's private keys are not in it; --with-keys adds them.",
    );
    return exitCode.success;
  } catch (failure) {
    if (failure instanceof BackupError) throw new CommandError(exitCode.refused, failure.message);
    throw failure;
  }
}
