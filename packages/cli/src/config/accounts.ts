import type { Environments, NewEnvironments } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption, type LocalHub } from "../hub/local-hub.ts";
import { formatTable } from "../hub/table.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { readSecret } from "../terminal/read-secret.ts";
import { UsageError } from "../usage-error.ts";
import { changeSetting } from "./change.ts";

export const accountsSection: CliCommand = {
  help: `Usage: signalbox config accounts [list] [--json]
       signalbox config accounts show NAME [--json]
       signalbox config accounts set NAME VARIABLE
       signalbox config accounts set NAME VARIABLE=VALUE --visible
       signalbox config accounts unset NAME VARIABLE
       signalbox config accounts remove NAME

Shows and changes accounts: named sets of environment variables with which agents start, such as
CLAUDE_CONFIG_DIR for another login, or the address and key of a gateway.

"set" asks for the value without showing it, or reads it from standard input. The value is stored as
a secret that nobody can read back. With --visible the value is on the command line, and admins can
see it. "set" creates the account if there is none of that name.

Everything but "list" needs an admin, whose device confirms this terminal.

Options:
  --visible          The value is not a secret
  --json             Print JSON
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, visible: { type: "boolean" }, json: { type: "boolean" } },
  });
  const [action = "list", name, variable, ...others] = positionals;
  const isJson = values.json === true;
  const count = [name, variable].filter((each) => each !== undefined).length;
  const expected = { list: 0, show: 1, remove: 1, set: 2, unset: 2 }[action];
  if (expected !== count || others.length > 0) {
    throw new UsageError(
      "Use list, show NAME, set NAME VARIABLE, unset NAME VARIABLE or remove NAME.",
    );
  }
  using hub = await connectLocalHub(values.data);
  if (name === undefined) return list(await hub.environmentNames(), isJson);
  if (action === "show") return await show(hub, name, isJson);
  if (variable === undefined) return await remove(hub, name);
  if (action === "unset") return await unset(hub, name, variable);
  return await set(hub, name, variable, values.visible === true);
}

function list(names: readonly string[], isJson: boolean): ExitCode {
  if (isJson) console.log(formatJsonLine(names));
  else for (const name of names) console.log(escapeForTerminal(name));
  return exitCode.success;
}

async function show(hub: LocalHub, name: string, isJson: boolean): Promise<ExitCode> {
  const subject = `Reading the account "${escapeForTerminal(name)}"`;
  const profile = await changeSetting(hub, { subject, section: "accounts" }, async (admin) =>
    pickAccount(await admin.environments(), name),
  );
  if (isJson) {
    console.log(formatJsonLine(profile));
    return exitCode.success;
  }
  const rows = Object.entries(profile).map(([variable, storedValue]) => [
    escapeForTerminal(variable),
    storedValue === null ? "(secret)" : escapeForTerminal(storedValue.value),
  ]);
  for (const line of formatTable(rows)) console.log(line);
  return exitCode.success;
}

async function set(
  hub: LocalHub,
  name: string,
  variable: string,
  isVisible: boolean,
): Promise<ExitCode> {
  const at = variable.indexOf("=");
  if (at >= 0 && !isVisible) {
    throw new UsageError(
      "Name the variable only. Its value is asked for, or read from standard input, because other programs can read a command line. Use --visible for a value that is not a secret.",
    );
  }
  if (at < 0 && isVisible) throw new UsageError("With --visible, use VARIABLE=VALUE.");
  const named = at < 0 ? variable : variable.slice(0, at);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(named)) {
    throw new UsageError(`"${escapeForTerminal(named)}" cannot be the name of a variable.`);
  }
  const value = isVisible ? { value: variable.slice(at + 1) } : await readSecret(named);
  await change(hub, `Setting ${named} of the account "${name}"`, (all) => ({
    ...all,
    [name]: { ...all[name], [named]: value },
  }));
  console.log(`Set ${named} of ${escapeForTerminal(name)}.`);
  return exitCode.success;
}

async function unset(hub: LocalHub, name: string, variable: string): Promise<ExitCode> {
  const subject = `Removing ${variable} from the account "${name}"`;
  await change(hub, subject, (all) => {
    const { [variable]: removed, ...rest } = pickAccount(all, name);
    if (removed !== undefined) return { ...all, [name]: rest };
    throw new CommandError(
      exitCode.notFound,
      `The account "${escapeForTerminal(name)}" has no variable ${escapeForTerminal(variable)}.`,
    );
  });
  console.log(`Removed ${escapeForTerminal(variable)} from ${escapeForTerminal(name)}.`);
  return exitCode.success;
}

async function remove(hub: LocalHub, name: string): Promise<ExitCode> {
  await change(hub, `Removing the account "${name}"`, (all) => {
    pickAccount(all, name);
    const { [name]: _, ...rest } = all;
    return rest;
  });
  console.log(`Removed ${escapeForTerminal(name)}.`);
  return exitCode.success;
}

/** Secrets are listed as null, which keeps them when the accounts are sent back. */
async function change(
  hub: LocalHub,
  subject: string,
  edit: (all: Environments) => NewEnvironments,
): Promise<void> {
  const what = { subject: escapeForTerminal(subject), section: "accounts" };
  await changeSetting(hub, what, async (admin) =>
    admin.setEnvironments(edit(await admin.environments())),
  );
}

function pickAccount(all: Environments, name: string): Environments[string] {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found) return found;
  throw new CommandError(exitCode.notFound, `No account is named "${escapeForTerminal(name)}".`);
}
