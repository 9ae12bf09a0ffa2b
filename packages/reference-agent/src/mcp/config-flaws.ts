import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { jsonKind } from "../json/json-kind.ts";

/** Server names that Claude Code uses itself and that no configuration may use. */
export const RESERVED: ReadonlySet<string> = new Set([
  "claude-in-chrome",
  "computer-use",
  "workspace",
]);

/**
 * Returns why a server of the command line is unavailable, in the wording for hosts; undefined if
 * it is available.
 */
export function getFlaw([name, config]: readonly [string, unknown]): JsonObject | undefined {
  if (RESERVED.has(name)) {
    const message = `"${name}" is a reserved MCP server name and was not loaded`;
    return { name, type: "reserved_name", message };
  }
  const { type, url, command } = isObject(config) ? config : {};
  if (type === undefined && command === undefined && typeof url === "string") {
    const message = `Skipped — MCP server "${name}" has a "url" but no "type"; add "type": "http" (or "sse" / "ws") to this entry`;
    return { name, type: "url_missing_type", message };
  }
  if (typeof type === "string" && !TYPES.has(type)) {
    const message = `Skipped — unknown MCP server type "${type}" for server "${name}"`;
    return { name, type: "unknown_type", message };
  }
  const flaws = isObject(config) ? fieldFlaws(config) : [`(root): ${wanted("object", config)}`];
  if (flaws.length === 0) return undefined;
  const message = `Skipped — invalid MCP server config for "${name}": ${flaws.join("; ")}`;
  return { name, type: "invalid_config", message };
}

const TYPES = new Set(["stdio", "http", "sse", "sdk"]);

function fieldFlaws({ type, command, args, env, url, headers }: JsonObject): string[] {
  if (type === "sdk") return [];
  if (type === "http" || type === "sse") {
    return [...textFlaws("url", url), ...recordFlaws("headers", headers)];
  }
  return [
    ...(type === undefined || type === "stdio" ? [] : ['type: expected "stdio"']),
    ...(command === "" ? ["command: Command cannot be empty"] : textFlaws("command", command)),
    ...listFlaws("args", args),
    ...recordFlaws("env", env),
  ];
}

function listFlaws(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [`${name}: ${wanted("array", value)}`];
  return value.flatMap((one, at) => textFlaws(`${name}.${at}`, one));
}

function recordFlaws(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (!isObject(value)) return [`${name}: ${wanted("record", value)}`];
  return Object.entries(value).flatMap(([key, one]) => textFlaws(`${name}.${key}`, one));
}

function textFlaws(name: string, value: unknown): string[] {
  return typeof value === "string" ? [] : [`${name}: ${wanted("string", value)}`];
}

const wanted = (kind: string, value: unknown): string =>
  `expected ${kind}, received ${jsonKind(value)}`;
