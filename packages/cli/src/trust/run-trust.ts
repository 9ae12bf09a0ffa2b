import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { FolderTrust } from "@signalbox/api";
import { describeUnconfirmed, elevateTerminal } from "../attach/elevation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { dataOption, type LocalHub, connectLocalHub } from "../hub/local-hub.ts";
import { pickMachine } from "../hub/machines.ts";
import { parseOptions } from "../options.ts";
import { formatFindings } from "../run/format-findings.ts";
import { Keyboard } from "../terminal/keyboard.ts";
import { createStyle } from "../terminal/style.ts";
import { UsageError } from "../usage-error.ts";

/** Shows what a folder would run and asks whether to trust it, or revokes that. `args`: those of the command. */
export async function runTrust(args: string[]): Promise<ExitCode> {
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
  if (positionals.length > 1) throw new UsageError("Specify at most one folder.");
  using hub = await connectLocalHub(values.data);
  const { machine } = values;
  const runner = machine === undefined ? undefined : pickMachine(await hub.runners(), machine);
  const isHere = runner === undefined || runner.own;
  const [named] = positionals;
  const folder = isHere ? resolveFolder(named ?? ".") : requireAbsoluteFolder(named);
  const where = { folder, ...(runner && { runner: runner.id }) };
  if (values.revoke) {
    await hub.revokeTrust(where);
    console.log("The folder is no longer trusted. Running agents are not affected.");
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
  if (state === "none") return console.log(`${at} brings no code that would run.`);
  const isNew = (id: string) => untrusted.includes(id);
  const sentences = {
    trusted: `${at} is trusted. Its code:`,
    off: `${at} brings code that is off until you trust the folder:`,
    "kept-off": `${at} brings code that was turned off:`,
    changed: `${at} has changed since it was trusted. Its code is off. New or changed:`,
  };
  console.log(sentences[state]);
  const shown = state === "changed" ? findings.filter(({ id }) => isNew(id)) : findings;
  for (const line of formatFindings(shown, style, process.stdout)) console.log(line);
}

/** Asks whether to trust the folder. Returns whether it is trusted afterwards. */
async function askToTrust(
  hub: LocalHub,
  { runner, folder, hash, findings }: FolderTrust,
): Promise<boolean> {
  if (findings.some(({ kind }) => kind === "unreadable")) {
    console.error(
      "This folder cannot be trusted. Fix or remove the items that cannot be read, then try again.",
    );
    return false;
  }
  if (!Keyboard.isAvailable) {
    console.error(
      "To trust the folder, open one of its sessions on an approver's device and answer the question above the message box, or run this command in a terminal.",
    );
    return false;
  }
  const interrupted = new AbortController();
  const keyboard = new Keyboard(() => interrupted.abort());
  try {
    const answer = await keyboard.ask("Trust this folder? (y/N) > ", interrupted.signal);
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) return false;
    const showWords = (words: string, page: string) =>
      console.error(
        `Confirm this terminal on an approver's device: ${words}\nThe page is ${page}.`,
      );
    const elevation = await elevateTerminal(hub, "approver", showWords, interrupted.signal);
    if (typeof elevation === "string") {
      throw new CommandError(
        exitCode.refused,
        `${describeUnconfirmed(elevation)} The folder was not trusted.`,
      );
    }
    using elevated = elevation;
    await elevated.hub.grantTrust({ runner, folder, hash });
    console.log("The folder is trusted, from the next run of each session.");
    return true;
  } finally {
    keyboard.close();
  }
}

/** A folder on another machine has to be an absolute path. */
function requireAbsoluteFolder(named: string | undefined): string {
  if (named !== undefined && isAbsolute(named)) return named;
  throw new UsageError("Specify the folder on that machine as an absolute path.");
}

function resolveFolder(named: string): string {
  try {
    return realpathSync(resolve(named));
  } catch {
    throw new CommandError(
      exitCode.notFound,
      `The folder ${escapeForTerminal(named)} does not exist.`,
    );
  }
}
