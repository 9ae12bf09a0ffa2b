import type { UnsupportedOption } from "../../launch/driver.ts";
import type { Launch } from "../../launch/launch.ts";
import { createLaunchError } from "../../launch/run-end.ts";
import { isOlder } from "./version.ts";

/** What an option says for a launch: nothing, just its name, or its name with each of these values. */
type OptionValue = undefined | boolean | string | readonly string[];

interface Option {
  readonly flag: string;
  /** The field of the launch, of an option that people choose and that some versions lack. */
  readonly field?: keyof Launch;
  /** The oldest version we saw it in; absent: it is in every version we support. */
  readonly since?: string;
  /** It has an effect in chat alone. `told`: a person who chose it is told so. */
  readonly chatOnly?: true | "told";
  readonly say: (launch: Launch) => OptionValue;
}

/**
 * From a launch to a command line, one row an option. A version that does not know an option exits
 * with an error, so each has the version it was first seen in (read off the published packages).
 */
export const options: readonly Option[] = [
  { flag: "--print", chatOnly: true, say: () => true },
  { flag: "--output-format", chatOnly: true, say: () => "stream-json" },
  { flag: "--input-format", chatOnly: true, say: () => "stream-json" },
  { flag: "--verbose", chatOnly: true, say: () => true }, // stream-json output needs it
  { flag: "--permission-prompt-tool", chatOnly: true, say: () => "stdio" },
  { flag: "--include-partial-messages", chatOnly: true, say: (l) => l.partialMessages ?? true },
  { flag: "--replay-user-messages", chatOnly: true, say: (l) => l.replayUserMessages ?? true },
  {
    flag: "--forward-subagent-text",
    chatOnly: true,
    since: "2.1.211",
    say: (l) => l.forwardSubagentText ?? true,
  },
  {
    flag: "--include-hook-events",
    chatOnly: true,
    since: "2.1.88",
    say: (l) => l.includeHookEvents ?? true,
  },
  { flag: "--model", say: (l) => l.model },
  { flag: "--fallback-model", chatOnly: "told", say: (l) => l.fallbackModel },
  { flag: "--effort", field: "effort", since: "2.1.40", say: (l) => l.effort },
  { flag: "--max-thinking-tokens", since: "2.0.13", say: (l) => figure(l, "maxThinkingTokens") },
  { flag: "--max-turns", chatOnly: "told", say: (l) => figure(l, "maxTurns") },
  {
    flag: "--max-budget-usd",
    chatOnly: "told",
    field: "maxBudgetUsd",
    since: "2.0.30",
    say: (l) => figure(l, "maxBudgetUsd"),
  },
  { flag: "--system-prompt", say: (l) => l.systemPrompt },
  { flag: "--append-system-prompt", say: (l) => l.appendSystemPrompt },
  {
    flag: "--json-schema",
    chatOnly: "told",
    field: "jsonSchema",
    since: "2.0.46",
    say: (l) => json(l.jsonSchema),
  },
  { flag: "--permission-mode", say: (l) => l.permissionMode },
  { flag: "--dangerously-skip-permissions", say: (l) => l.dangerouslySkipPermissions },
  { flag: "--allowed-tools", say: (l) => list(l.allowedTools) },
  { flag: "--disallowed-tools", say: (l) => list(l.disallowedTools) },
  { flag: "--add-dir", say: (l) => l.addDirs },
  {
    flag: "--settings",
    say: (l) => (typeof l.settings === "object" ? json(l.settings) : l.settings),
  },
  { flag: "--setting-sources", say: (l) => l.settingSources?.join(",") },
  { flag: "--strict-mcp-config", say: (l) => l.strictMcpConfig },
  { flag: "--mcp-config", say: (l) => l.mcpServers && json({ mcpServers: l.mcpServers }) },
  { flag: "--continue", say: (l) => l.continue },
  { flag: "--resume", say: (l) => l.resume?.id },
  { flag: "--resume-session-at", chatOnly: "told", say: (l) => l.resume?.at },
  { flag: "--fork-session", say: (l) => l.resume?.fork },
  { flag: "--session-id", say: (l) => l.sessionId },
];

/** An option that a version lacks: its field of the launch, and the version that first had it. */
export interface UnsupportedField {
  readonly field: keyof Launch;
  readonly flag: string;
  readonly since: string;
}

/** The options that people choose and that a version lacks; without a version, those that any lacks. */
export function listUnsupportedFields(version: string | undefined): readonly UnsupportedField[] {
  return options.flatMap(({ field, flag, since }) =>
    field === undefined ||
    since === undefined ||
    (version !== undefined && !isOlder(version, since))
      ? []
      : [{ field, flag, since }],
  );
}

interface CommandLine {
  readonly args: readonly string[];
  readonly unsupportedOptions: readonly UnsupportedOption[];
}

/**
 * The command line for this version. What it does not know is left out, and named. `place`: where
 * the conversation is shown, in chat or in the program's own terminal.
 */
export function commandLine(
  launch: Launch,
  version: string,
  place: "chat" | "terminal" = "chat",
): CommandLine {
  refuseNonsense(launch);
  const args: string[] = [...(launch.flags ?? [])];
  const unsupportedOptions: UnsupportedOption[] = [];
  for (const { flag, since, chatOnly, say } of options) {
    const optionValue = say(launch);
    if (optionValue === undefined || optionValue === false) continue;
    if (place === "terminal" && chatOnly !== undefined) {
      if (chatOnly === "told") unsupportedOptions.push({ option: flag, why: CHAT_ONLY });
    } else if (since !== undefined && isOlder(version, since)) {
      unsupportedOptions.push({
        option: flag,
        why: `Claude Code ${version} does not know it (${since} does)`,
      });
    } else if (optionValue === true) {
      args.push(flag);
    } else {
      // With `=` a value may begin with a dash and still is a value.
      for (const value of typeof optionValue === "string" ? [optionValue] : optionValue)
        args.push(`${flag}=${value}`);
    }
  }
  for (const arg of args) refuseUnpassable(arg);
  return { args, unsupportedOptions };
}

const CHAT_ONLY = "Claude Code has it in chat alone, and this run is in its own terminal";

/** Linux takes no single argument longer than this. */
const ARGUMENT_LIMIT = 128 * 1024 - 1;

function refuseUnpassable(arg: string): void {
  const field = arg.split("=", 1)[0] ?? "";
  if (arg.includes("\0")) throw badLaunch(field, "it holds a NUL byte");
  const size = Buffer.byteLength(arg);
  if (size > ARGUMENT_LIMIT) {
    const why = `it has ${size} bytes, and a command line takes ${ARGUMENT_LIMIT}`;
    throw badLaunch(field, why);
  }
}

function list(values: readonly string[] | undefined): OptionValue {
  return values && values.length > 0 ? values.join(",") : undefined;
}

function json(value: object | undefined): OptionValue {
  return value && JSON.stringify(value);
}

function figure(
  launch: Launch,
  field: "maxThinkingTokens" | "maxTurns" | "maxBudgetUsd",
): OptionValue {
  const value = launch[field];
  if (value === undefined) return undefined;
  if (Number.isFinite(value) && value >= 0) return String(value);
  throw badLaunch(field, `${value} is not a number of 0 or more`);
}

function refuseNonsense(launch: Launch): void {
  const { resume, sessionId } = launch;
  if (resume && launch.continue) throw badLaunch("continue", "it excludes resume");
  if (resume?.id === "") throw badLaunch("resume.id", "it is empty");
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  if (sessionId !== undefined && !uuid.test(sessionId))
    throw badLaunch("sessionId", "it is not a UUID");
  if (sessionId !== undefined && (resume || launch.continue) && !resume?.fork) {
    throw badLaunch("sessionId", "a conversation that goes on keeps its id (use fork)");
  }
}

function badLaunch(field: string, why: string) {
  return createLaunchError("bad-launch", { field, why });
}
