import type { AgentAbilities, AgentAccount, LineView } from "@signalbox/api";

const NO_ABILITIES: AgentAbilities = { commands: [], models: [] };

/**
 * Reads the abilities from lines of the log: the newest answer to `initialize`, or the command names of the
 * newest `init`.
 */
export function readAbilities(lines: readonly LineView[]): AgentAbilities {
  let answer = NO_ABILITIES;
  let names: readonly unknown[] = [];
  for (const { from, text } of lines) {
    if (from !== "agent" || text === undefined) continue;
    if (!text.includes('"commands"') && !text.includes('"slash_commands"')) continue;
    const line = parseLine(text);
    const answered = toObject(toObject(line["response"])["response"]);
    if (line["type"] === "control_response" && Array.isArray(answered["commands"])) {
      answer = parseInitializeResponse(answered, answer);
    }
    if (line["type"] === "system" && line["subtype"] === "init")
      names = toList(line["slash_commands"]);
  }
  if (answer.commands.length > 0) return answer;
  const named = names.filter((name) => typeof name === "string");
  return { ...answer, commands: named.map((name) => ({ name })) };
}

function parseInitializeResponse(
  response: Record<string, unknown>,
  before: AgentAbilities,
): AgentAbilities {
  const commands = toList(response["commands"]).flatMap((command) => {
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
  const models = toList(response["models"]).flatMap((model) => {
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
  const account =
    response["account"] === undefined ? {} : { account: pickStrings(response["account"]) };
  return { commands, models: models.length > 0 ? models : before.models, ...account };
}

function pickStrings(value: unknown): AgentAccount {
  return Object.fromEntries(
    Object.entries(toObject(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
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
