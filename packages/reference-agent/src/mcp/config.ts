import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { AgentContext, AgentOptions } from "@signalbox/agent";
import type { Settings, SettingsFile } from "../settings.ts";
import { personalNotes } from "../trust.ts";
import type { ServerConfig } from "./channel.ts";
import { getFlaw, RESERVED } from "./config-flaws.ts";

export type Scope = "project" | "local" | "user" | "dynamic";
interface ConfiguredServer {
  readonly name: string;
  readonly config: ServerConfig;
  readonly scope: Scope;
  /** The person has switched it off in this project. */
  readonly isOff: boolean;
}

/** From a person's own notes, from the `.mcp.json` of the folder and of those above it, from their
 * notes of the project, and from the command line; of the same name the later counts. With
 * `--strict-mcp-config` the command line alone does. On a terminal only what the person's settings
 * approve counts of the `.mcp.json`; whoever runs us with `-p` in a folder has decided about it, as
 * with Claude Code. What any settings switch off stays off. */
export function readConfiguredServers(
  context: AgentContext,
  settings: Settings,
): ConfiguredServer[] {
  const { options, environment } = context;
  const { person, project } = personalNotes(context);
  const counts = ([name]: [string, unknown]) =>
    !isListed(project["disabledMcpjsonServers"], name) &&
    (isApproved(name, settings.files) ?? options.print);
  const sources: [Scope, [string, unknown][]][] = [
    ["user", isWanted("user", options) ? serversIn(person) : []],
    ["project", projectServers(context).filter(counts)],
    ["local", isWanted("local", options) ? serversIn(project) : []],
    ["dynamic", inLine(options)],
  ];
  const found = new Map<string, ConfiguredServer>();
  for (const [scope, servers] of sources) {
    for (const [name, given] of servers) {
      const config = readConfig(withVariables(given, environment));
      const isOff = scope !== "dynamic" && isListed(project["disabledMcpServers"], name);
      if (config && !RESERVED.has(name)) found.set(name, { name, config, scope, isOff });
    }
  }
  return [...found.values()].toSorted((one, other) => rank(one) - rank(other));
}

/** What is wrong with those of the command line: they are left out, and hosts are told. */
export function flawsInLine({ options }: Pick<AgentContext, "options">): JsonObject[] {
  const servers = [...new Map(inLine(options))];
  return servers.map(getFlaw).filter((flaw) => flaw !== undefined);
}

function inLine({ mcpConfig }: AgentOptions): [name: string, given: unknown][] {
  return mcpConfig.flatMap((said) =>
    serversIn(parseObject(said.trimStart().startsWith("{") ? said : readText(said))),
  );
}

/** Those that are always to be there come first. */
const rank = ({ config }: ConfiguredServer): number =>
  "alwaysLoad" in config && config.alwaysLoad === true ? 0 : 1;

const isWanted = (
  source: Exclude<Scope, "dynamic">,
  { strictMcpConfig, settingSources }: AgentOptions,
): boolean => !strictMcpConfig && (settingSources?.includes(source) ?? true);

/** Those of `.mcp.json` in the folder and above it, as they stand there; none where they are not to
 * count. */
export function projectServers({
  options,
  folder,
}: Pick<AgentContext, "options" | "folder">): [name: string, given: unknown][] {
  if (!isWanted("project", options)) return [];
  const all = foldersDownTo(folder).flatMap((one) =>
    serversIn(parseObject(readText(join(one, ".mcp.json")))),
  );
  return [...new Map(all)];
}

/** What settings say of a server of `.mcp.json`; undefined: nothing. */
export function isApproved(
  name: string,
  files: readonly Pick<SettingsFile, "source" | "content">[],
): boolean | undefined {
  if (files.some(({ content }) => isListed(content["disabledMcpjsonServers"], name))) return false;
  const isOn = files.some(({ source, content }) => {
    if (source === "projectSettings") return false; // it is the repository's own word
    const { enableAllProjectMcpServers: all, enabledMcpjsonServers: some } = content;
    return all === true || isListed(some, name);
  });
  return isOn || undefined;
}

const isListed = (list: unknown, name: string): boolean =>
  Array.isArray(list) && list.includes(name);

/** From the root of the disk to the folder itself. */
function foldersDownTo(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [...foldersDownTo(above), folder];
}

function serversIn(value: JsonObject | string): [string, unknown][] {
  const servers = typeof value === "string" ? undefined : value["mcpServers"];
  return isObject(servers) ? Object.entries(servers) : [];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // there is none
  }
}

export function readConfig(value: unknown): ServerConfig | undefined {
  if (!isObject(value)) return undefined;
  const { type, command, args, env, url, headers } = value;
  if (type === "sdk") return value as ServerConfig;
  if (type === "http" || type === "sse") {
    return typeof url === "string" && areTexts(headers) ? (value as ServerConfig) : undefined;
  }
  const isProgram = typeof command === "string" && command !== "" && areTexts(env);
  const isCalled = args === undefined || (Array.isArray(args) && args.every(isText));
  return isProgram && isCalled ? (value as ServerConfig) : undefined;
}

const isText = (value: unknown): boolean => typeof value === "string";
const areTexts = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every(isText));

/** `${NAME}` and `${NAME:-otherwise}` in any text. */
function withVariables(value: unknown, environment: AgentContext["environment"]): unknown {
  if (typeof value === "string") {
    return value.replace(
      /\$\{(\w+)(?::-([^}]*))?\}/g,
      (whole, name: string, otherwise?: string) => {
        return environment[name] ?? otherwise ?? whole;
      },
    );
  }
  if (Array.isArray(value)) return value.map((one) => withVariables(one, environment));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withVariables(one, environment)]),
  );
}
