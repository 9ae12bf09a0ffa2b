import type { SessionOptionsChange } from "@signalbox/api";
import { parseChoice } from "../options.ts";
import { wrapLines } from "../terminal/layout.ts";

type OptionName = keyof SessionOptionsChange;

/** The options that can be removed, by the flags that set them. */
const optionsByFlag = {
  agent: "agent",
  driver: "driver",
  model: "model",
  "fallback-model": "fallbackModel",
  mode: "mode",
  effort: "effort",
  isolation: "isolation",
  "add-dir": "addDirs",
  profile: "environment",
  env: "variables",
  "mcp-config": "mcpServers",
  "system-prompt": "systemPrompt",
  "max-turns": "maxTurns",
  "max-budget-usd": "maxBudgetUsd",
  "json-schema": "jsonSchema",
  "request-time-limit": "askLimitMinutes",
} as const satisfies Readonly<Record<string, OptionName>>;

const flags = Object.keys(optionsByFlag) as (keyof typeof optionsByFlag)[];

const HELP_INDENT = " ".repeat(21);

export const unsetHelp = `  --unset OPTION     Remove an option, so that its default applies (repeatable):
${wrapLines(flags.join(", "), 78)
  .map((line) => HELP_INDENT + line.trimEnd())
  .join("\n")}`;

/** The change that removes these options, each named like its flag, with or without the dashes. */
export function parseUnset(names: readonly string[] = []): SessionOptionsChange {
  const removed = names.map((name) => {
    const flag = parseChoice("--unset", name.replace(/^--/, ""), flags);
    return [optionsByFlag[flag], null] as const;
  });
  return Object.fromEntries(removed);
}
