import type { LineView } from "@signalbox/api";

export interface Command {
  readonly name: string;
  readonly description?: string;
  readonly argumentHint?: string;
}
export interface Model {
  readonly value: string;
  readonly name: string;
  /** The full name of the model, which the agent reports while running. */
  readonly resolved?: string;
  /** The effort levels that it supports. */
  readonly efforts: readonly string[];
}
/** The account that the agent uses, as far as it says. */
export interface Account {
  readonly apiKeySource?: string;
  readonly tokenSource?: string;
  readonly subscriptionType?: string;
  readonly apiProvider?: string;
}
/** What an agent reports at its start: commands, models and account. */
export interface Abilities {
  readonly commands: readonly Command[];
  readonly models: readonly Model[];
  readonly account?: Account;
}
export const noAbilities: Abilities = { commands: [], models: [] };

/**
 * Reads the abilities from lines of the log: the newest answer to `initialize`, or the command names of the
 * newest `init`.
 */
export function readAbilities(lines: readonly LineView[]): Abilities {
  let answer = noAbilities;
  let names: readonly unknown[] = [];
  for (const { from, text } of lines) {
    if (from !== "agent" || text === undefined) continue;
    if (!text.includes('"commands"') && !text.includes('"slash_commands"')) continue;
    const line = parseLine(text);
    const said = toObject(toObject(line["response"])["response"]);
    if (line["type"] === "control_response" && Array.isArray(said["commands"])) {
      answer = parseInitializeResponse(said, answer);
    }
    if (line["type"] === "system" && line["subtype"] === "init")
      names = toList(line["slash_commands"]);
  }
  if (answer.commands.length > 0) return answer;
  const named = names.filter((name) => typeof name === "string");
  return { ...answer, commands: named.map((name) => ({ name })) };
}

function parseInitializeResponse(said: Record<string, unknown>, before: Abilities): Abilities {
  const commands = toList(said["commands"]).flatMap((command) => {
    const { name, description, argumentHint } = toObject(command);
    if (typeof name !== "string") return [];
    return [
      {
        name,
        ...(typeof description === "string" && { description }),
        ...(typeof argumentHint === "string" && { argumentHint }),
      },
    ];
  });
  const models = toList(said["models"]).flatMap((model) => {
    const { value, displayName, resolvedModel, supportedEffortLevels } = toObject(model);
    if (typeof value !== "string") return [];
    return [
      {
        value,
        name: typeof displayName === "string" ? displayName : value,
        efforts: toList(supportedEffortLevels).filter((effort) => typeof effort === "string"),
        ...(typeof resolvedModel === "string" && { resolved: resolvedModel }),
      },
    ];
  });
  const account = said["account"] === undefined ? {} : { account: pickStrings(said["account"]) };
  return { commands, models: models.length > 0 ? models : before.models, ...account };
}

function pickStrings(value: unknown): Account {
  return Object.fromEntries(
    Object.entries(toObject(value)).filter(([, text]) => typeof text === "string"),
  );
}

function parseLine(text: string): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return {};
  }
}
function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
