import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "@signalbox/protocol/wire";
import type { Birth } from "../../agent.ts";
import type { Settings, SettingsFile } from "../settings.ts";
import { isRecord } from "../tools/schema.ts";
import type { ServerConfig } from "./channel.ts";

export type Scope = "project" | "local" | "user" | "dynamic";
export interface Configured {
  readonly name: string;
  readonly config: ServerConfig;
  readonly scope: Scope;
}

/** From the command line and, unless it alone is to count, from the project's `.mcp.json`. On a
 * terminal only what the person's settings approve counts of that; whoever runs us with `-p` in a
 * folder has decided about it, as with Claude Code. What any settings switch off stays off. */
export function configured(birth: Birth, settings: Settings): Configured[] {
  const { options, environment } = birth;
  const texts = options.mcpConfig.map((said) =>
    said.trimStart().startsWith("{") ? said : readText(said),
  );
  const read = (scope: Scope, servers: [string, unknown][]) =>
    servers.flatMap(([name, given]) => {
      const config = readConfig(withVariables(given, environment));
      return config ? [{ name, config, scope }] : [];
    });
  const counts = ([name]: [string, unknown]) => isApproved(name, settings.files) ?? options.print;
  return [
    ...read("project", projectServers(birth).filter(counts)),
    ...read("dynamic", texts.flatMap(serversIn)),
  ];
}

/** Those of the project's `.mcp.json`, as they stand there; none where it is not to count. */
export function projectServers({
  options,
  folder,
}: Pick<Birth, "options" | "folder">): [name: string, given: unknown][] {
  const isWanted =
    !options.strictMcpConfig && (options.settingSources?.includes("project") ?? true);
  return isWanted ? serversIn(readText(join(folder, ".mcp.json"))) : [];
}

/** What settings say of a server of `.mcp.json`; undefined: nothing. */
export function isApproved(
  name: string,
  files: readonly Pick<SettingsFile, "source" | "content">[],
): boolean | undefined {
  const isNamed = (list: unknown) => Array.isArray(list) && list.includes(name);
  if (files.some(({ content }) => isNamed(content["disabledMcpjsonServers"]))) return false;
  const isOn = files.some(({ source, content }) => {
    if (source === "projectSettings") return false; // it is the repository's own word
    return (
      content["enableAllProjectMcpServers"] === true || isNamed(content["enabledMcpjsonServers"])
    );
  });
  return isOn || undefined;
}

function serversIn(text: string): [string, unknown][] {
  const value = parseObject(text);
  const servers = typeof value === "string" ? undefined : value["mcpServers"];
  return isRecord(servers) ? Object.entries(servers) : [];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // there is none
  }
}

export function readConfig(value: unknown): ServerConfig | undefined {
  if (!isRecord(value)) return undefined;
  const { type, command, url } = value;
  if (type === "sdk") return value as ServerConfig;
  if ((type === "http" || type === "sse") && typeof url === "string") return value as ServerConfig;
  return typeof command === "string" ? (value as ServerConfig) : undefined;
}

/** `${NAME}` and `${NAME:-otherwise}` in any text. */
function withVariables(value: unknown, environment: Birth["environment"]): unknown {
  if (typeof value === "string") {
    return value.replace(
      /\$\{(\w+)(?::-([^}]*))?\}/g,
      (whole, name: string, otherwise?: string) => {
        return environment[name] ?? otherwise ?? whole;
      },
    );
  }
  if (Array.isArray(value)) return value.map((one) => withVariables(one, environment));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withVariables(one, environment)]),
  );
}
