import type { Session } from "../session.ts";
import type { AgentDefinition } from "../commands/agents.ts";
import { expand } from "../commands/commands.ts";
import { withOutputs } from "../tools/embedded-commands.ts";

/** Returns the texts of the skills that a kind gets at the start, each under its name. */
export async function skillTexts(
  session: Session,
  { skills = [] }: AgentDefinition,
  signal: AbortSignal,
): Promise<string[]> {
  const found = skills.flatMap((name) => session.commands.find((one) => one.name === name) ?? []);
  const texts = await Promise.all(
    found.map(async (skill) => {
      const { name } = skill;
      const head = `<command-message>${name}</command-message>\n<command-name>${name}</command-name>\n<skill-format>true</skill-format>`;
      const text = await withOutputs(expand(skill, ""), session, signal).catch(() => undefined);
      return text === undefined ? [] : [head, text];
    }),
  );
  return texts.flat();
}
