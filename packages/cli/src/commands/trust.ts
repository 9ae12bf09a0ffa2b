import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { FolderTrust } from "@signalbox/api";
import { elevateTerminal } from "../attach/elevation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { dataHelp, dataOption, type LocalHub, connectLocalHub } from "../hub/local-hub.ts";
import { pickMachine } from "../hub/machines.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { formatFindings } from "../run/format-findings.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { createStyle } from "../terminal/style.ts";
import { UsageError } from "../usage-error.ts";

export const trustCommand: Command = {
  help: `Usage: signalbox trust [FOLDER] [--machine NAME] [--revoke] [--json]

Shows what a folder would run if its own settings counted (hooks, MCP servers,
helpers, variables, rules that allow), and whether it is trusted. Until it is, sessions there
run without its settings and MCP servers.

To trust it, answer yes: an approver's device then confirms this terminal, once. On the page
the same question stands above the message box of every session in that folder.

  --machine NAME    a folder of this machine, of those that \`signalbox machines\` shows
  --revoke          do not trust it any more, from each session's next run on
  --json            print what the folder brings as one JSON object, and ask nothing
${dataHelp}

Exit code: ${exitCode.success} there is nothing to trust, or it is trusted; ${exitCode.refused} it is not.`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      machine: { type: "string" },
      revoke: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  if (positionals.length > 1) throw new UsageError("Name one folder, or none for this one.");
  using hub = await connectLocalHub(values.data);
  const { machine } = values;
  const runner = machine === undefined ? undefined : pickMachine(await hub.runners(), machine);
  const isHere = runner === undefined || runner.own;
  const [named] = positionals;
  const folder = isHere ? resolveFolder(named ?? ".") : requireAbsoluteFolder(named);
  const where = { folder, ...(runner && { runner: runner.id }) };
  if (values.revoke) {
    await hub.revokeTrust(where);
    console.log("It is not trusted any more. Runs that are under way end as they began.");
    return exitCode.success;
  }
  const trust = await hub.folderTrust(where);
  if (values.json) console.log(formatJsonLine(trust));
  else printTrust(trust);
  if (trust.state === "none" || trust.state === "trusted") return exitCode.success;
  return !values.json && (await askToTrust(hub, trust)) ? exitCode.success : exitCode.refused;
}

function printTrust({ folder, state, findings, untrusted }: FolderTrust): void {
  const style = createStyle(process.stdout, process.env);
  const at = escapeForTerminal(folder);
  if (state === "none") return console.log(`${at} brings no code of its own.`);
  const isNew = (id: string) => untrusted.includes(id);
  const sentences = {
    trusted: `${at} is trusted. It brings:`,
    off: `${at} brings code of its own. It is off: nobody has decided about it.`,
    "kept-off": `${at} brings code of its own. It is off, because somebody wants it so.`,
    changed: `${at} was trusted, and has changed since. Its code is off again. New is:`,
  };
  console.log(sentences[state]);
  const shown = state === "changed" ? findings.filter(({ id }) => isNew(id)) : findings;
  for (const line of formatFindings(shown, style, process.stdout)) console.log(line);
}

/** Whether it is trusted in the end. */
async function askToTrust(
  hub: LocalHub,
  { runner, folder, hash, findings }: FolderTrust,
): Promise<boolean> {
  if (findings.some(({ kind }) => kind === "unreadable")) {
    console.error("It cannot be trusted before what cannot be read is mended or removed.");
    return false;
  }
  if (!Keyboard.isAvailable) {
    console.error(
      "To trust it, open a session of this folder on a paired device and say so above its message box; or use this command in a terminal, which an approver's device has to confirm.",
    );
    return false;
  }
  const over = new AbortController();
  const keyboard = new Keyboard(() => over.abort());
  try {
    const answer = await keyboard.ask("Trust this folder? (y/N) > ", over.signal);
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) return false;
    const told = (words: string) =>
      console.error(`Confirm this terminal on a paired device of an approver: ${words}`);
    const elevation = await elevateTerminal(hub, told, over.signal);
    if (typeof elevation === "string") {
      const why = elevation === "refused" ? "was not confirmed" : "was not confirmed in time";
      throw new CommandError(exitCode.refused, `This terminal ${why}, so nothing was trusted.`);
    }
    using lifted = elevation;
    await lifted.hub.grantTrust({ runner, folder, hash });
    console.log("It is trusted, from each session's next run on.");
    return true;
  } finally {
    keyboard.close();
  }
}

/** Of another machine, where a name has to begin at the root. */
function requireAbsoluteFolder(named: string | undefined): string {
  if (named !== undefined && isAbsolute(named)) return named;
  throw new UsageError("Name a folder of that machine, from its root on.");
}

function resolveFolder(named: string): string {
  try {
    return realpathSync(resolve(named));
  } catch {
    throw new CommandError(exitCode.notFound, `There is no folder ${escapeForTerminal(named)}.`);
  }
}
