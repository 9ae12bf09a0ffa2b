import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkMcpConfig, checkSettings, readAgents } from "./configurations.ts";
import { type FlagName, flags } from "./flags.ts";
import { readSchema } from "./json-schema.ts";
import type { InputFormat, AgentOptions, OutputFormat, PermissionMode } from "./options.ts";
import { type ParsedArguments, invalid } from "./parse-arguments.ts";
import { UsageError } from "./usage-error.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Converts the arguments to options, or throws a `UsageError` in Claude Code's wording.
 * `isUnboundRoot`: the program runs as root and outside of a sandbox.
 */
export function parseOptions(
  { words, given }: ParsedArguments,
  isTerminal: boolean,
  isUnboundRoot = false,
): AgentOptions {
  const has = (name: FlagName) => given.has(name);
  const text = (name: FlagName) => given.get(name)?.at(-1);
  const list = (name: FlagName) => splitList(given.get(name) ?? []);
  const sdkUrl = text("sdkUrl");
  const print = has("print") || sdkUrl !== undefined || !isTerminal;
  const streams = sdkUrl === undefined ? "text" : "stream-json";
  const asksNothing =
    has("skipPermissions") ||
    has("allowSkipPermissions") ||
    text("permissionMode") === "bypassPermissions";
  if (asksNothing && isUnboundRoot) {
    throw new UsageError(
      "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons",
    );
  }
  return check({
    print,
    inputFormat: (text("inputFormat") ?? streams) as InputFormat,
    outputFormat: (text("outputFormat") ?? streams) as OutputFormat,
    verbose: has("verbose") || sdkUrl !== undefined,
    partialMessages: has("partialMessages"),
    replayUserMessages: has("replayUserMessages"),
    hookEvents: has("hookEvents"),
    forwardSubagentText: has("forwardSubagentText"),
    authStatus: has("authStatus"),
    betas: list("betas"),
    allowedTools: toolRules(given.get("allowedTools") ?? []),
    disallowedTools: toolRules(given.get("disallowedTools") ?? []),
    skipPermissions: has("skipPermissions"),
    allowSkipPermissions: has("allowSkipPermissions"),
    addDirs: (given.get("addDirs") ?? []).map((folder) => resolve(folder)),
    mcpConfig: given.get("mcpConfig") ?? [],
    strictMcpConfig: has("strictMcpConfig"),
    disableSlashCommands: has("disableSlashCommands"),
    continue: has("continue"),
    forkSession: has("forkSession"),
    sessionPersistence: !has("noSessionPersistence"),
    reconnect: omitUndefined({
      bufferSize: parseWholeNumber("sdkUrlBuffer", text("sdkUrlBuffer"), 1),
      attempts: parseWholeNumber("sdkUrlAttempts", text("sdkUrlAttempts"), 0),
      firstDelayMs: parseWholeNumber("sdkUrlFirstDelay", text("sdkUrlFirstDelay"), 0),
      maxDelayMs: parseWholeNumber("sdkUrlMaxDelay", text("sdkUrlMaxDelay"), 0),
      pingMs: parseWholeNumber("sdkUrlPing", text("sdkUrlPing"), 1),
      silenceMs: parseWholeNumber("sdkUrlSilence", text("sdkUrlSilence"), 1),
    }),
    ...omitUndefined({
      prompt: words[0],
      sdkUrl,
      model: text("model"),
      fallbackModel: text("fallbackModel"),
      effort: text("effort"),
      systemPrompt: joinTexts(
        fileText("System prompt", text("systemPromptFile")),
        text("systemPrompt"),
      ),
      appendSystemPrompt: joinTexts(
        fileText("Append system prompt", text("appendSystemPromptFile")),
        text("appendSystemPrompt"),
      ),
      maxTurns: number("maxTurns", text("maxTurns")),
      maxBudgetUsd: budget(text("maxBudgetUsd")),
      maxThinkingTokens: thinkingTokens(
        text("thinking"),
        number("maxThinkingTokens", text("maxThinkingTokens")),
      ),
      jsonSchema: readSchema(text("jsonSchema")),
      tools: has("tools") && text("tools") !== "default" ? list("tools") : undefined,
      permissionMode: text("permissionMode") as PermissionMode | undefined,
      permissionPromptTool: text("permissionPromptTool"),
      settings: text("settings"),
      settingSources: parseSources(text("settingSources")),
      agents: readAgents(text("agents")),
      agent: text("agent"),
      resume: has("resume") ? (text("resume") ?? "") : undefined,
      resumeSessionAt: text("resumeSessionAt"),
      sessionId: text("sessionId"),
      name: text("name"),
      teleport: text("teleport"),
      rewindFiles: text("rewindFiles"),
    }),
  });
}

/** Reports flags that cannot be combined, in the order in which Claude Code checks them. */
function check(options: AgentOptions): AgentOptions {
  const { print, inputFormat, outputFormat, verbose } = options;
  const streams = inputFormat === "stream-json" && outputFormat === "stream-json";
  const refuse = (text: string) => {
    throw new UsageError(`Error: ${text}`);
  };
  if (options.sessionId !== undefined) {
    if (!isUuid(options.sessionId)) refuse("Invalid session ID. Must be a valid UUID.");
    if ((options.continue || options.resume !== undefined) && !options.forkSession) {
      refuse(
        "--session-id can only be used with --continue or --resume if --fork-session is also specified.",
      );
    }
  }
  const elsewhere = options.continue ? "--continue" : options.resume !== undefined && "--resume";
  if (options.teleport !== undefined && elsewhere) {
    refuse(`--teleport and ${elsewhere} name two sessions to go on with. Give one of them.`);
  }
  if (options.sdkUrl !== undefined && !/^wss?:$/.test(getProtocol(options.sdkUrl))) {
    refuse(`--sdk-url wants an address that begins with ws:// or wss://, not "${options.sdkUrl}".`);
  }
  if (options.settings !== undefined) checkSettings(options.settings);
  if (inputFormat === "stream-json" && outputFormat !== "stream-json") {
    refuse("--input-format=stream-json requires output-format=stream-json.");
  }
  if (options.replayUserMessages && !streams) {
    refuse(
      "--replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.",
    );
  }
  if (options.partialMessages && !(print && outputFormat === "stream-json")) {
    refuse("--include-partial-messages requires --print and --output-format=stream-json.");
  }
  if (print && outputFormat === "stream-json" && !verbose) {
    refuse("When using --print, --output-format=stream-json requires --verbose");
  }
  if (print && options.resume === "") {
    refuse(
      "--resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>",
    );
  }
  checkMcpConfig(options.mcpConfig);
  if (options.resumeSessionAt !== undefined && options.resume === undefined) {
    refuse("--resume-session-at requires --resume");
  }
  if (options.rewindFiles !== undefined) {
    if (options.resume === undefined) refuse("--rewind-files requires --resume");
    if (options.prompt !== undefined || inputFormat === "stream-json") {
      refuse("--rewind-files is a standalone operation and cannot be used with a prompt");
    }
  }
  return options;
}

function getProtocol(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : "";
}

function omitUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function number(name: "maxTurns" | "maxThinkingTokens", text: string | undefined) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw invalid(flags[name], text, "must be a number");
  }
  return value;
}

/** `--thinking` decides whether the model thinks; then 0 is not a budget. */
function thinkingTokens(mode: string | undefined, most: number | undefined): number | undefined {
  if (mode === "disabled") return 0;
  return mode !== undefined && most === 0 ? undefined : most;
}

function parseWholeNumber(
  name: FlagName,
  text: string | undefined,
  least: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
  throw invalid(flags[name], text, `must be a whole number of at least ${least}`);
}

/** Reads the settings sources, with Claude Code's error for an unknown one. */
function parseSources(text: string | undefined): string[] | undefined {
  const named = text?.split(",").map((name) => name.trim());
  const odd = named?.find((name) => !/^(?:user|project|local)?$/.test(name));
  if (odd !== undefined) {
    throw new UsageError(
      `Error processing --setting-sources: Invalid setting source: ${odd}. Valid options are: user, project, local`,
    );
  }
  return named?.filter(Boolean);
}

function budget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  const why = "--max-budget-usd must be a positive number greater than 0";
  throw invalid(flags.maxBudgetUsd, text, why);
}

/** Joins the text of the file and the text of the command line, in that order. */
function joinTexts(file: string | undefined, given: string | undefined): string | undefined {
  if (file === undefined || given === undefined) return file ?? given;
  return [file.trimEnd(), given].filter((part) => part !== "").join("\n\n");
}

function fileText(what: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`Error: ${what} file not found: ${resolve(path)}`);
  }
}

function splitList(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(/[\s,]+/)).filter(Boolean);
}

/** Rules may contain commas and spaces inside their parentheses: `Bash(git log, *) Edit`. */
function toolRules(values: readonly string[]): string[] {
  return values.flatMap((value) => value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []);
}
