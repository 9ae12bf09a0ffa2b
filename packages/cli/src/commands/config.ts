import { escapeForTerminal } from "@signalbox/protocol/text";
import { runAsApprover } from "../attach/run-as-approver.ts";
import { findSetting, type Setting, type SettingValue, settings } from "../config/settings.ts";
import { CommandError } from "../command-error.ts";
import type { Command } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption, type LocalHub } from "../hub/local-hub.ts";
import { formatTable } from "../hub/table.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";

const names = settings.map(({ name, summary }) => `  ${name.padEnd(24)} ${summary}`).join("\n");

export const configCommand: Command = {
  help: `Usage: signalbox config list [--json]
       signalbox config get SETTING [--json]
       signalbox config set SETTING VALUE

Shows and changes the hub's settings.

${names}

A setting that needs an approver is changed from a terminal that an approver's device confirms
once. A setting that needs an admin is changed on the page.

  --json            print JSON
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
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
  throw new UsageError(
    "Use `signalbox config list`, `signalbox config get SETTING` or `signalbox config set SETTING VALUE`.",
  );
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
  const { name, section, role, write } = setting;
  const page = `${hub.url}/settings/${section}`;
  if (!write) {
    throw new CommandError(
      exitCode.refused,
      `${name} can only be changed by a device with the ${role} role. Open ${page} there.`,
    );
  }
  const apply = write(value);
  const elsewhere = `open ${page} on that device`;
  await runAsApprover(hub, { subject: name, elsewhere }, apply);
  const { text } = await setting.read(hub);
  console.log(`${name} is now: ${escapeForTerminal(text)}`);
  return exitCode.success;
}
