import type { AgentSetting, AgentView } from "@signalbox/api";
import { agentSetting } from "@signalbox/api/schemas";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption, type LocalHub } from "../hub/local-hub.ts";
import { pickMachine } from "../hub/machines.ts";
import { formatTable } from "../hub/table.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";
import { changeSetting } from "./change.ts";

export const agentsSection: CliCommand = {
  help: `Usage: signalbox config agents [list] [--machine NAME] [--json]
       signalbox config agents add NAME [options]
       signalbox config agents edit NAME [options]
       signalbox config agents test NAME [options]
       signalbox config agents remove NAME

Shows and changes the agents that sessions can run. "test" looks for the program on a machine and
asks it for its version; with options it tests the agent as it would be with them, and saves
nothing. Changes need an admin, whose device confirms this terminal.

Options:
  --path FILE        Program of the agent. Without --path and --npm it is searched in the usual
                     places
  --npm PACKAGE      npm package with a version, such as @anthropic-ai/claude-code@2.1.325
  --driver DRIVER    stdio, sdk or sdk-url
  --model MODEL      Model of sessions that name none
  --models LIST      Models to choose from, with commas between
  --flag FLAG        Flag of the program (repeatable): --flag=--verbose
  --account NAME     Account or environment profile
  --machine NAME     Machine on which the program is searched
  --json             Print JSON
An empty value removes what was set: --model ""
${dataHelp}`,
  run,
};

const text = { type: "string" } as const;
const options = {
  ...dataOption,
  path: text,
  npm: text,
  driver: text,
  model: text,
  models: text,
  flag: { type: "string", multiple: true },
  account: text,
  machine: text,
  json: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parse>["values"];
const parse = (args: string[]) => parseOptions({ args, options, allowPositionals: true });
/** The options that describe an agent. */
const described = ["path", "npm", "driver", "model", "models", "flag", "account"] as const;

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parse(args);
  const [action = "list", name, ...others] = positionals;
  const isList = action === "list" && name === undefined;
  const isKnown = isList || ["add", "edit", "test", "remove"].includes(action);
  if (!isKnown || (!isList && name === undefined) || others.length > 0) {
    throw new UsageError("Use list, or add, edit, test or remove with the name of one agent.");
  }
  using hub = await connectLocalHub(values.data);
  const { machine } = values;
  const runner = machine === undefined ? undefined : pickMachine(await hub.runners(), machine).id;
  const agents = await hub.agents(runner);
  if (name === undefined) return list(agents, values.json === true);
  switch (action) {
    case "add":
      return await add(hub, agents, name, values);
    case "edit":
      return await edit(hub, agents, name, values);
    case "test":
      return await test(hub, agents, name, values, runner);
    default:
      return await remove(hub, agents, name);
  }
}

function list(agents: readonly AgentView[], isJson: boolean): ExitCode {
  if (isJson) console.log(formatJsonLine(agents));
  else for (const line of formatTable(agents.map(formatAgent))) console.log(line);
  return exitCode.success;
}

function formatAgent(agent: AgentView): string[] {
  const { name, path, npm, driver, model, environment } = agent;
  const cells = [
    name,
    npm ?? path ?? agent.found?.path ?? "",
    describeVersion(agent),
    driver,
    model === undefined ? "" : `model ${model}`,
    environment === undefined ? "" : `account ${environment}`,
  ];
  return cells.map((cell) => escapeForTerminal(cell));
}

function describeVersion({ found, npm, problem }: AgentView): string {
  if (found) return `${found.version}, ${found.versionClass}`;
  return problem ?? (npm === undefined ? "not found" : "installed on first use");
}

async function add(
  hub: LocalHub,
  agents: readonly AgentView[],
  name: string,
  values: Values,
): Promise<ExitCode> {
  if (agents.some((agent) => agent.name === name)) {
    const shown = escapeForTerminal(name);
    throw new UsageError(`There is already an agent "${shown}". Change it with edit.`);
  }
  const agent = describe({ name, driver: "stdio", models: [], flags: [] }, values);
  await save(hub, `Adding the agent "${name}"`, [...agents.map(toSetting), agent]);
  console.log(`Added ${escapeForTerminal(name)}.`);
  return exitCode.success;
}

async function edit(
  hub: LocalHub,
  agents: readonly AgentView[],
  name: string,
  values: Values,
): Promise<ExitCode> {
  const agent = describe(toSetting(pickAgent(agents, name)), values);
  if (!isDescribed(values)) throw new UsageError("Name what to change, such as --model MODEL.");
  const next = agents.map((each) => (each.name === name ? agent : toSetting(each)));
  await save(hub, `Changing the agent "${name}"`, next);
  console.log(`Changed ${escapeForTerminal(name)}.`);
  return exitCode.success;
}

async function test(
  hub: LocalHub,
  agents: readonly AgentView[],
  name: string,
  values: Values,
  runner: string | undefined,
): Promise<ExitCode> {
  const known = agents.find((agent) => agent.name === name);
  const tested = isDescribed(values)
    ? await testUnsaved(hub, name, known, values, runner)
    : pickAgent(agents, name);
  if (values.json) console.log(formatJsonLine(tested));
  else for (const line of formatTable([formatAgent(tested)])) console.log(line);
  return tested.found || (tested.npm !== undefined && tested.problem === undefined)
    ? exitCode.success
    : exitCode.notFound;
}

/** Starting a program that is not in the settings takes an admin. */
function testUnsaved(
  hub: LocalHub,
  name: string,
  known: AgentView | undefined,
  values: Values,
  runner: string | undefined,
): Promise<AgentView> {
  const start = known ? toSetting(known) : { name, driver: "stdio", models: [], flags: [] };
  const agent = describe(start, values);
  const subject = `Testing a program that is not in the settings`;
  return changeSetting(hub, { subject, section: "agents" }, (admin) =>
    admin.testAgent(agent, runner),
  );
}

async function remove(
  hub: LocalHub,
  agents: readonly AgentView[],
  name: string,
): Promise<ExitCode> {
  const removed = pickAgent(agents, name);
  const next = agents.filter((agent) => agent !== removed).map(toSetting);
  await save(hub, `Removing the agent "${name}"`, next);
  const isOffered = (await hub.agents()).some((agent) => agent.name === name);
  const shown = escapeForTerminal(name);
  console.log(isOffered ? `Reset ${shown}, which is always offered.` : `Removed ${shown}.`);
  return exitCode.success;
}

async function save(hub: LocalHub, subject: string, agents: AgentSetting[]): Promise<void> {
  await changeSetting(hub, { subject: escapeForTerminal(subject), section: "agents" }, (admin) =>
    admin.setAgents(agents),
  );
}

function pickAgent(agents: readonly AgentView[], name: string): AgentView {
  const found = agents.find((agent) => agent.name === name);
  if (found) return found;
  const known = agents.map((agent) => escapeForTerminal(agent.name)).join(", ");
  throw new CommandError(
    exitCode.notFound,
    `No agent is named "${escapeForTerminal(name)}". The agents are: ${known}.`,
  );
}

const isDescribed = (values: Values) => described.some((option) => values[option] !== undefined);

/** An agent's settings, without what the hub has found out about it. */
function toSetting(agent: AgentView): AgentSetting {
  return agentSetting.strip().parse(agent);
}

/** The agent with these options. An empty value removes a setting. */
export function describe(agent: AgentSetting, values: Values): AgentSetting {
  const { path, npm, driver, model, models, flag, account } = values;
  const { path: _path, npm: _npm, model: _model, environment: _account, ...rest } = agent;
  const isProgramNamed = path !== undefined || npm !== undefined;
  const program = isProgramNamed ? { path, npm } : { path: agent.path, npm: agent.npm };
  const set = {
    ...program,
    model: model ?? agent.model,
    environment: account ?? agent.environment,
  };
  const filled = Object.entries(set).filter(([, value]) => value !== undefined && value !== "");
  return {
    ...rest,
    ...Object.fromEntries(filled),
    ...(driver !== undefined && { driver: driver === "" ? "stdio" : driver }),
    ...(models !== undefined && { models: splitList(models) }),
    ...(flag !== undefined && { flags: flag.filter((each) => each !== "") }),
  };
}

function splitList(value: string): string[] {
  const parts = value.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}
