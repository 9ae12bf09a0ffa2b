import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseObject } from "@signalbox/protocol/wire";
import type { Birth } from "../../agent.ts";
import type { Settings } from "../settings.ts";
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
  const { options, folder, environment } = birth;
  const texts = options.mcpConfig.map((said) =>
    said.trimStart().startsWith("{") ? said : readText(said),
  );
  const isWanted =
    !options.strictMcpConfig && (options.settingSources?.includes("project") ?? true);
  const project = isWanted ? readText(join(folder, ".mcp.json")) : "";
  const isOff = (name: string) =>
    settings.files.some(({ content: { disabledMcpjsonServers: off } }) => {
      return Array.isArray(off) && off.includes(name);
    });
  const isApproved = (name: string) =>
    options.print ||
    settings.files.some(({ source, content }) => {
      if (source === "projectSettings") return false; // it is the repository's own word
      const { enableAllProjectMcpServers, enabledMcpjsonServers } = content;
      return (
        enableAllProjectMcpServers === true ||
        (Array.isArray(enabledMcpjsonServers) && enabledMcpjsonServers.includes(name))
      );
    });
  const read = (scope: Scope, servers: [string, unknown][]) =>
    servers.flatMap(([name, given]) => {
      const config = readConfig(withVariables(given, environment));
      return config ? [{ name, config, scope }] : [];
    });
  return [
    ...read(
      "project",
      serversIn(project).filter(([name]) => isApproved(name) && !isOff(name)),
    ),
    ...read("dynamic", texts.flatMap(serversIn)),
  ];
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
