import type { NewProjectOptions, ProjectOptions, RunnerView } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption, type LocalHub } from "../hub/local-hub.ts";
import { getMachineNames, pickMachine } from "../hub/machines.ts";
import { resolveFolder } from "../hub/resolve-folder.ts";
import {
  formatSessionOptions,
  readSessionOptions,
  sessionOptionFlags,
  sessionOptionHelp,
} from "../hub/session-options.ts";
import { formatTable } from "../hub/table.ts";
import { parseUnset, unsetHelp } from "../hub/unset-options.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";
import { changeSetting } from "./change.ts";

type Options = NonNullable<NewProjectOptions["options"]>;

export const projectsSection: CliCommand = {
  help: `Usage: signalbox config projects [list] [--json]
       signalbox config projects show [FOLDER] [--machine NAME] [--json]
       signalbox config projects set [FOLDER] [--machine NAME] [options]
       signalbox config projects remove [FOLDER] [--machine NAME]

Shows and changes the options that new sessions of a folder have by default. The folder is the
current one unless another is named. Changes need an approver, whose device confirms this terminal.

Defaults hold no secrets: variables are shown to every driver, and MCP servers have no variables
or headers. Put secrets in a profile (\`signalbox config accounts\`) and use --profile.

Options:
  --machine NAME     Machine of the folder (default: the hub's machine)
  --json             Print JSON
${sessionOptionHelp}
${unsetHelp}
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      ...sessionOptionFlags,
      machine: { type: "string" },
      json: { type: "boolean" },
      unset: { type: "string", multiple: true },
    },
  });
  const [action = "list", named, ...others] = positionals;
  const isList = action === "list" && named === undefined;
  if ((!isList && !["show", "set", "remove"].includes(action)) || others.length > 0) {
    throw new UsageError("Use list, show, set or remove, and at most one folder.");
  }
  const unset = parseUnset(values.unset);
  using hub = await connectLocalHub(values.data);
  const runners = await hub.runners();
  const projects = await hub.projectOptions();
  if (isList) {
    const machines = getMachineNames(runners);
    const rows = projects.map((each) => listProject(each, machines));
    if (values.json) console.log(formatJsonLine(projects));
    else for (const line of formatTable(rows)) console.log(line);
    return exitCode.success;
  }
  const machine = findMachine(runners, values.machine);
  const folder = resolveFolder(machine, "FOLDER", named);
  const current = projects.find((each) => each.folder === folder && each.runner === machine.id);
  if (action === "show") {
    printOptions(current?.options ?? {}, values.json === true);
    return exitCode.success;
  }
  if (action === "remove" && !current) {
    throw new CommandError(exitCode.notFound, `${escapeForTerminal(folder)} has no defaults.`);
  }
  const given = readSessionOptions(values, (path) => resolveFolder(machine, "--add-dir", path));
  const options = action === "remove" ? null : mergeOptions(current?.options, given, unset);
  await save(hub, { runner: machine.id, folder, options });
  if (options) printOptions(options, values.json === true);
  return exitCode.success;
}

function findMachine(runners: readonly RunnerView[], name: string | undefined): RunnerView {
  const found = name === undefined ? runners.find(({ own }) => own) : pickMachine(runners, name);
  if (found) return found;
  throw new CommandError(exitCode.notFound, "The hub's machine is not connected.");
}

/** The options after a change. What the hub does not accept as a default, it refuses. */
function mergeOptions(
  current: Options = {},
  given: ReturnType<typeof readSessionOptions>,
  unset: ReturnType<typeof parseUnset>,
): Options {
  const { variables, ...others } = given;
  const shown = Object.entries(variables ?? {}).map(([name, value]) => [name, { value }] as const);
  const merged = {
    ...current,
    ...others,
    ...(variables && { variables: { ...current.variables, ...Object.fromEntries(shown) } }),
    ...unset,
  };
  if (Object.keys({ ...given, ...unset }).length === 0) {
    throw new UsageError("Specify the options to set, such as --model opus, or --unset model.");
  }
  const setEntries = Object.entries(merged).filter(([, value]) => value !== null);
  return Object.fromEntries(setEntries);
}

async function save(hub: LocalHub, change: NewProjectOptions): Promise<void> {
  const subject = `Changing the defaults of ${escapeForTerminal(change.folder)}`;
  const setting = { subject, section: "permissions", role: "approver" } as const;
  await changeSetting(hub, setting, (approver) => approver.setProjectOptions(change));
}

function listProject(
  { runner, folder, options }: ProjectOptions,
  machines: ReadonlyMap<string, string> | undefined,
): string[] {
  const names = Object.keys(options).join(", ");
  return [folder, machines?.get(runner) ?? "", names].map((cell) => escapeForTerminal(cell));
}

function printOptions(options: Options, isJson: boolean): void {
  if (isJson) console.log(formatJsonLine(options));
  else for (const line of formatSessionOptions(options)) console.log(line);
}
