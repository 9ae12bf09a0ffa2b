import type { LineView } from "@signalbox/protocol";

export interface Command {
  readonly name: string;
  readonly description?: string;
  readonly argumentHint?: string;
}
export interface Model {
  readonly value: string;
  readonly name: string;
}
/** What an agent says at its start that it can do. */
export interface Abilities {
  readonly commands: readonly Command[];
  readonly models: readonly Model[];
}
export const noAbilities: Abilities = { commands: [], models: [] };

/** Reads them off the first lines of the log: the answer to `initialize`, and `init` where that is all. */
export function abilitiesIn(lines: readonly LineView[]): Abilities {
  let abilities = noAbilities;
  for (const { from, text } of lines) {
    if (from !== "agent" || text === undefined) continue;
    if (!text.includes('"commands"') && !text.includes('"slash_commands"')) continue;
    const line = parsed(text);
    if (line["type"] === "control_response") {
      const said = object(object(line["response"])["response"]);
      if (Array.isArray(said["commands"])) abilities = told(said, abilities);
    }
    if (line["type"] === "system" && abilities.commands.length === 0) {
      const names = list(line["slash_commands"]).filter((name) => typeof name === "string");
      abilities = { ...abilities, commands: names.map((name) => ({ name })) };
    }
  }
  return abilities;
}

function told(said: Record<string, unknown>, before: Abilities): Abilities {
  const commands = list(said["commands"]).flatMap((command) => {
    const { name, description, argumentHint } = object(command);
    if (typeof name !== "string") return [];
    return [
      {
        name,
        ...(typeof description === "string" && { description }),
        ...(typeof argumentHint === "string" && { argumentHint }),
      },
    ];
  });
  const models = list(said["models"]).flatMap((model) => {
    const { value, displayName } = object(model);
    if (typeof value !== "string") return [];
    return [{ value, name: typeof displayName === "string" ? displayName : value }];
  });
  return { commands, models: models.length > 0 ? models : before.models };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return object(JSON.parse(text));
  } catch {
    return {};
  }
}
function object(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
