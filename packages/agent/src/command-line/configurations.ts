import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/**
 * Checks `--settings`: JSON in braces, or a readable file. Errors in the contents are reported
 * later.
 */
export function checkSettings(given: string): void {
  const text = given.trim();
  if (text.startsWith("{") && text.endsWith("}")) {
    if (tryParseJson(text) === undefined) refuse("Invalid JSON provided to --settings");
    return;
  }
  const path = resolve(given);
  if (!existsSync(path)) refuse(`Settings file not found: ${path}`);
  try {
    readFileSync(path);
  } catch (failure) {
    refuse(`Cannot use settings file (${messageWithoutPath(failure)}): ${path}`);
  }
}

/** Checks `--mcp-config`: each value is a JSON object or a file with one, and has `mcpServers`. */
export function checkMcpConfig(given: readonly string[]): void {
  const flaws = given.flatMap((one) => findMcpProblem(one) ?? []);
  if (flaws.length > 0) refuse(`Invalid MCP configuration:\n${flaws.join("\n")}`);
}

function findMcpProblem(given: string): string | undefined {
  const inline = tryParseJson(given);
  if (inline !== undefined && getKind(inline.value) === "object") return serversFlaw(inline.value);
  const path = resolve(given);
  if (!existsSync(path)) return `MCP config file not found: ${path}`;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (failure) {
    return `Failed to read file: Error: ${messageWithoutPath(failure)}`;
  }
  const inFile = tryParseJson(text);
  return inFile ? serversFlaw(inFile.value) : "MCP config is not a valid JSON";
}

function serversFlaw(config: unknown): string | undefined {
  if (getKind(config) !== "object")
    return `Invalid input: expected object, received ${getKind(config)}`;
  const { mcpServers } = config as { mcpServers?: unknown };
  if (getKind(mcpServers) === "object") return undefined;
  return `mcpServers: Invalid input: expected record, received ${getKind(mcpServers)}`;
}

/** Reads `--agents`: JSON, or a file that contains it. */
export function readAgents(given: string | undefined): Record<string, unknown> | undefined {
  if (given === undefined) return undefined;
  let text = given;
  if (!/^\s*[{[]/.test(given)) {
    const path = resolve(given);
    if (!existsSync(path)) {
      const hint = "(a value that is not a JSON object is read as a file path)";
      refuse(`--agents file not found: ${path} ${hint}`);
    }
    text = readFileSync(path, "utf8");
  }
  try {
    const value: unknown = JSON.parse(text);
    if (getKind(value) === "object") return value as Record<string, unknown>;
    return refuseAgents(`Invalid input: expected record, received ${getKind(value)}`);
  } catch (failure) {
    if (failure instanceof UsageError) throw failure;
    return refuseAgents(`invalid JSON: ${jsonError(failure)}`);
  }
}

function refuseAgents(why: string): never {
  return refuse(`Invalid --agents configuration:\n${why}`);
}

function refuse(text: string): never {
  throw new UsageError(`Error: ${text}`);
}

/** Describes a JSON syntax error in the wording of Claude Code. */
export function jsonError(failure: unknown): string {
  const { message } = failure as Error;
  return message.startsWith("JSON Parse error") ? message : `JSON Parse error: ${message}`;
}

function tryParseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

export function getKind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns the error message without the path that Node appends. */
function messageWithoutPath(failure: unknown): string {
  return (failure as Error).message.replace(/ '[^']*'$/, "");
}
