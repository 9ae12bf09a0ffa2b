import type { ChangedFile } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { formatTable } from "../hub/table.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";

export const changesCommand: CliCommand = {
  help: `Usage: signalbox changes [options] SESSION [FILE]

Lists the files that have changed in the folder of a session, whoever changed them, or shows the
change of one file. Nothing of the repository runs for this.

Options:
  --against WHAT     head: all that is not committed (default); index: what is not staged;
                     staged; start: since the session began; commit:NAME: since that branch
                     or commit
  --json             Print the answer of the hub as JSON
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, against: { type: "string" }, json: { type: "boolean" } },
  });
  const [name, path, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError("Specify one session.");
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), name);
  const against = values.against ?? "head";
  if (path !== undefined) {
    const diff = await hub.fileDiff(id, { path, against });
    if (values.json === true) console.log(formatJsonLine(diff));
    else if (diff.kind === "text") console.log(escapeForTerminal(diff.patch).trimEnd());
    else console.log(diff.kind === "none" ? "The file has not changed." : `(${diff.kind})`);
    return exitCode.success;
  }
  const changes = await hub.workingChanges(id, against);
  if (values.json === true) {
    console.log(formatJsonLine(changes));
  } else if (changes.repository) {
    const { branch, operation, files, more } = changes;
    const where = branch === null ? "on no branch" : `on ${escapeForTerminal(branch)}`;
    const doing = operation === undefined ? "" : `, in the middle of a ${operation}`;
    const count = files.length + more;
    console.log(`${count} ${count === 1 ? "file" : "files"} changed ${where}${doing}`);
    for (const line of formatTable(files.map(formatFile), [2, 3])) console.log(line);
    if (more > 0) console.log(`and ${more} more`);
  } else {
    throw new CommandError(exitCode.notFound, changes.why);
  }
  return exitCode.success;
}

function formatFile({ path, from, status, staged, unstaged, added, removed }: ChangedFile) {
  const shown = escapeForTerminal(path).replaceAll("\n", "\\n");
  const old = from === undefined ? "" : ` (was ${escapeForTerminal(from).replaceAll("\n", "\\n")})`;
  const isStaged = staged ? (unstaged ? "partly staged" : "staged") : "";
  const count = (sign: string, lines: number | null) => (lines === null ? "" : `${sign}${lines}`);
  return [status, `${shown}${old}`, count("+", added), count("-", removed), isStaged];
}
