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
  /** The person has turned it off in this project. */
  readonly isOff: boolean;
}

/**
 * Reads the servers from the person's own configuration, from `.mcp.json` of the folder and of its
 * parents, from the person's configuration of the project, and from the command line; for the same
 * name the later one wins. With `--strict-mcp-config` only the command line counts. On a terminal,
 * servers of `.mcp.json` need the person's approval; as in Claude Code, running with `-p` in a
 * folder counts as approval. A server that any settings turn off stays off.
 */
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

/** Lists the flaws of servers on the command line. Such servers are omitted, and hosts are told. */
export function flawsInLine({ options }: Pick<AgentContext, "options">): JsonObject[] {
  const servers = [...new Map(inLine(options))];
  return servers.map(getFlaw).filter((flaw) => flaw !== undefined);
}

function inLine({ mcpConfig }: AgentOptions): [name: string, given: unknown][] {
  return mcpConfig.flatMap((configText) =>
    serversIn(
      parseObject(configText.trimStart().startsWith("{") ? configText : readText(configText)),
    ),
  );
}

/** Sorts servers that are always loaded first. */
const rank = ({ config }: ConfiguredServer): number =>
  "alwaysLoad" in config && config.alwaysLoad === true ? 0 : 1;

const isWanted = (
  source: Exclude<Scope, "dynamic">,
  { strictMcpConfig, settingSources }: AgentOptions,
): boolean => !strictMcpConfig && (settingSources?.includes(source) ?? true);

/** Reads the servers of `.mcp.json` in the folder and its parents; none if they are turned off. */
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

/** Whether settings approve a server of `.mcp.json`; undefined if they do not mention it. */
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

/** Lists the folders from the root of the disk down to the folder itself. */
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
    return ""; // There is no such file.
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

/** Replaces `${NAME}` and `${NAME:-default}` in all texts. */
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
