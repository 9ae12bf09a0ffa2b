import { escapeForTerminal } from "@signalbox/protocol/text";
import { changeSetting } from "../config/change.ts";
import { loadSection, sections } from "./config-sections.ts";
import { findSetting, type Setting, type SettingValue, settings } from "../config/settings.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption, type LocalHub } from "../hub/local-hub.ts";
import { formatTable } from "../hub/table.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";

const column = 24;
const settingList = settings.flatMap(({ name, summary, write }) =>
  write ? [`  ${name.padEnd(column)} ${summary}`] : [],
);
const sectionList = Object.entries(sections).map(
  ([name, { summary }]) => `  ${name.padEnd(column)} ${summary}`,
);

export const configCommand: CliCommand = {
  help: `Usage: signalbox config list [--json]
       signalbox config get SETTING [--json]
       signalbox config set SETTING VALUE
       signalbox config SECTION [ACTION] [options]

Shows and changes the hub's settings, the same as Settings on the page.

Settings:
${settingList.join("\n")}

Sections:
${sectionList.join("\n")}

\`signalbox config SECTION --help\` shows what a section can do.

What needs an approver or an admin works in a terminal once a device with that role has confirmed
the terminal. The command shows two words and the address of the page on which to confirm.

Options:
  --json             Print JSON
${dataHelp}`,
  findHelp: async ([section]) => (await loadSection(section))?.help,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const section = await loadSection(args[0]);
  if (section) return await section.run(args.slice(1));
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, json: { type: "boolean" } },
  });
  const [action, name, value, ...more] = positionals;
  const isJson = values.json === true;
  if (action === "list" && name === undefined) {
    using hub = await connectLocalHub(values.data);
    return await list(hub, isJson);
  }
  if (action === "get" && name !== undefined && value === undefined) {
    const setting = findSetting(name);
    using hub = await connectLocalHub(values.data);
    const read = await setting.read(hub);
    console.log(isJson ? formatJsonLine(read.json) : escapeForTerminal(read.text));
    return exitCode.success;
  }
  if (action === "set" && name !== undefined && value !== undefined && more.length === 0) {
    const setting = findSetting(name);
    using hub = await connectLocalHub(values.data);
    return await change(hub, setting, value);
  }
  throw new UsageError("Use list, get SETTING, set SETTING VALUE, or the name of a section.");
}

async function list(hub: LocalHub, isJson: boolean): Promise<ExitCode> {
  const read = await Promise.all(
    settings.map(async (setting) => [setting.name, await setting.read(hub)] as const),
  );
  if (isJson) {
    const values = read.map(([name, { json }]): [string, SettingValue["json"]] => [name, json]);
    console.log(formatJsonLine(Object.fromEntries(values)));
  } else {
    const rows = read.map(([name, { text }]) => [name, escapeForTerminal(text)]);
    for (const line of formatTable(rows)) console.log(line);
  }
  return exitCode.success;
}

async function change(hub: LocalHub, setting: Setting, value: string): Promise<ExitCode> {
  const { name, section, write } = setting;
  if (!write) {
    throw new UsageError(`Use \`signalbox config ${name}\` to change this.`);
  }
  const apply = write(value);
  await changeSetting(hub, { subject: name, section, role: "approver" }, apply);
  const { text } = await setting.read(hub);
  console.log(`${name} is now: ${escapeForTerminal(text)}`);
  return exitCode.success;
}
