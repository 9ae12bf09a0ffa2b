import { escapeForTerminal } from "@signalbox/protocol/text";
import { readFileSync } from "node:fs";
import type { NewSession, SessionOptions } from "@signalbox/api";
import { isolationProfile, policyName } from "@signalbox/api/schemas";
import { parseChoice, parseInteger, parsePositiveNumber } from "../options.ts";
import { formatTable } from "./table.ts";
import { UsageError } from "../usage-error.ts";

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;

/** The flags for what the agent of a session is started with, in the form of `parseArgs`. */
export const sessionOptionFlags = {
  agent: text,
  driver: text,
  model: text,
  "fallback-model": text,
  mode: text,
  effort: text,
  policy: text,
  isolation: text,
  "add-dir": texts,
  profile: text,
  env: texts,
  "mcp-config": texts,
  "system-prompt": text,
  "append-system-prompt": text,
  "max-turns": text,
  "max-budget-usd": text,
  "json-schema": text,
  "request-time-limit": text,
} as const;

export const sessionOptionHelp = `  --agent NAME       Agent from the hub's settings
  --driver NAME      Driver for the agent: stdio, sdk (the official Agent SDK) or sdk-url (Claude
                     Code up to 2.1.120) (default: the driver in the agent's settings)
  --model NAME       Model to use
  --fallback-model NAME
                     Model that answers while the first one is overloaded
  --mode MODE        Permission mode of Claude Code, such as plan
  --effort LEVEL     Effort of the model: low, medium, high, xhigh, max
  --policy POLICY    Permission policy: ${policyName.options.join(", ")}
                     (accept-edits and autonomous need an approver)
  --isolation NAME   Isolation profile: ${isolationProfile.options.join(", ")}
                     (off needs an approver)
  --add-dir FOLDER   Additional folder that the agent may use (repeatable)
  --profile NAME     Account or environment profile from the hub's settings (needs an approver)
  --env NAME=VALUE   Environment variable, stored as a secret (repeatable). With --env NAME the
                     value is that of this terminal (needs an approver)
  --mcp-config FILE  MCP servers, as a file or text in the format of Claude Code:
                     {"mcpServers": {"NAME": {"command": …} or {"type": "http", "url": …}}}
                     (repeatable; needs an approver)
  --system-prompt TEXT
                     System prompt in place of the agent's own. @FILE reads a file
  --append-system-prompt TEXT
                     Text that is added to the agent's own system prompt. @FILE reads a file
  --max-turns N      Model calls for one message, after which its turn ends
  --max-budget-usd USD
                     What the agent may spend from one start of its process to the next
  --json-schema SCHEMA
                     JSON Schema of the agent's answer, as text or @FILE
  --request-time-limit MINUTES
                     How long a request waits for an answer before it is denied`;

type Values = {
  readonly [Flag in keyof typeof sessionOptionFlags]?:
    | ((typeof sessionOptionFlags)[Flag] extends { multiple: true } ? string[] : string)
    | undefined;
};
type Options = Omit<NewSession, "folder">;

/** The options of a session from the flags. `resolveFolder` makes a path absolute. */
export function readSessionOptions(
  values: Values,
  resolveFolder: (path: string) => string,
): Options {
  const { agent, driver, model, mode, effort, policy, isolation, profile, env } = values;
  const options: Partial<Record<keyof Options, unknown>> = {
    agent,
    driver,
    model,
    fallbackModel: values["fallback-model"],
    mode,
    effort,
    policy: policy && parseChoice("--policy", policy, policyName.options),
    isolation: isolation && parseChoice("--isolation", isolation, isolationProfile.options),
    addDirs: values["add-dir"]?.map(resolveFolder),
    environment: profile,
    variables: env && Object.fromEntries(env.map(parseVariable)),
    mcpServers:
      values["mcp-config"] && Object.assign({}, ...values["mcp-config"].map(parseServers)),
    systemPrompt: parseSystemPrompt(values),
    maxTurns: parse(values, "max-turns", (flag, value) => parseInteger(flag, value, 100_000)),
    maxBudgetUsd: parse(values, "max-budget-usd", parsePositiveNumber),
    jsonSchema: parse(values, "json-schema", (flag, value) =>
      parseJson(flag, readText(flag, value)),
    ),
    askLimitMinutes: parse(values, "request-time-limit", parsePositiveNumber),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** The options as lines of a terminal, without secrets. */
export function formatSessionOptions(options: SessionOptions): string[] {
  const rows = Object.entries(options).map(([name, value]) => [
    name,
    escapeForTerminal(typeof value === "string" ? value : JSON.stringify(value)),
  ]);
  return formatTable(rows);
}

type TextFlag = "max-turns" | "max-budget-usd" | "json-schema" | "request-time-limit";

function parse<T>(
  values: Values,
  flag: TextFlag,
  read: (flag: string, value: string) => T,
): T | undefined {
  const value = values[flag];
  return value === undefined ? undefined : read(`--${flag}`, value);
}

function parseVariable(given: string): [name: string, value: string] {
  const at = given.indexOf("=");
  if (at > 0) return [given.slice(0, at), given.slice(at + 1)];
  const value = at === -1 ? process.env[given] : undefined;
  if (value !== undefined) return [given, value];
  throw new UsageError(
    at === -1
      ? `--env: This terminal has no variable ${escapeForTerminal(given)}. Use --env NAME=VALUE.`
      : "--env needs a name: --env NAME=VALUE.",
  );
}

function parseServers(given: string): unknown {
  const flag = "--mcp-config";
  const parsed = parseJson(flag, given.trimStart().startsWith("{") ? given : readFile(flag, given));
  const servers = parsed["mcpServers"];
  if (typeof servers === "object" && servers !== null) return servers;
  throw new UsageError(`${flag} must hold an object "mcpServers" with the servers by name.`);
}

function parseSystemPrompt(values: Values): Options["systemPrompt"] {
  const { "system-prompt": replaced, "append-system-prompt": added } = values;
  if (replaced !== undefined && added !== undefined) {
    throw new UsageError("Use either --system-prompt or --append-system-prompt.");
  }
  if (replaced !== undefined) {
    return { mode: "replace", text: readText("--system-prompt", replaced) };
  }
  if (added === undefined) return undefined;
  return { mode: "append", text: readText("--append-system-prompt", added) };
}

function parseJson(flag: string, given: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(given);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch (failure) {
    throw new UsageError(`${flag} is not valid JSON: ${escapeForTerminal(String(failure))}.`);
  }
  throw new UsageError(`${flag} must be a JSON object.`);
}

/** The text itself, or for `@FILE` that of the file. */
function readText(flag: string, given: string): string {
  return given.startsWith("@") ? readFile(flag, given.slice(1)) : given;
}

function readFile(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (failure) {
    const code = (failure as NodeJS.ErrnoException).code ?? String(failure);
    const why = code === "ENOENT" ? "it does not exist" : code;
    throw new UsageError(`${flag}: Couldn't read ${escapeForTerminal(path)}: ${why}.`);
  }
}
