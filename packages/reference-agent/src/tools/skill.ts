import type { JsonObject } from "@signalbox/protocol/wire";
import type { Session } from "../session.ts";
import { expand, type SlashCommand } from "../commands/commands.ts";
import { applyOverrides } from "../commands/command-overrides.ts";
import { withOutputs } from "./embedded-commands.ts";
import { resolveModel } from "../model/models.ts";
import { addRule } from "../permission/verdict.ts";
import { shape, string, text, type Tool, ToolFailure } from "../tool.ts";

export const skill: Tool = {
  name: "Skill",
  description:
    "Loads a skill or a command of this project by its name: what it says is then to be followed. Which there are is told with the prompt.",
  input: shape({ skill: string("Its name") }, { args: string("What to give it") }),
  async refuse(input, session) {
    const name = nameIn(input);
    const known = findCalledSkill(input, session);
    if (!known) return `Unknown skill: ${name}`;
    if (known.forModel) return undefined;
    return `Skill ${name} cannot be used with Skill tool due to disable-model-invocation. Whether it is done is for the user to say, with /${name}: leave it, and do not do in other ways what it would do.`;
  },
  judge(input, { session }) {
    const name = nameIn(input);
    const has = (behavior: "allow" | "deny") =>
      session.permission.rules[behavior].some(
        ({ tool, content }) =>
          tool === "Skill" &&
          (content === name || (content?.endsWith(":*") && name.startsWith(content.slice(0, -2)))),
      );
    if (has("deny"))
      return {
        behavior: "deny",
        message: "Skill execution blocked by permission rules",
        reason: "rule",
      };
    const command = findCalledSkill(input, session);
    const isPlain = command && !/!`/.test(command.body) && command.allowedTools.length === 0;
    if (has("allow") || isPlain) return { behavior: "allow" };
    return {
      behavior: "ask",
      unasked: `Execute skill: ${name}. The user can add the allow rule Skill(${name}) to .claude/settings.local.json to let it run without asking.`,
      suggestions: [name, `${name}:*`].map((rule) => addRule("Skill", rule, "localSettings")),
      fields: { description: command?.description ?? name },
    };
  },
  async run(input, { session, signal, agent }) {
    const name = nameIn(input);
    const found = findCalledSkill(input, session);
    if (!found) throw new ToolFailure(`Unknown skill: ${name}`);
    const whole = expand(found, text(input, "args"));
    const skillText = await withOutputs(whole, session, signal).catch((cause: Error) => {
      throw new ToolFailure(cause.message);
    });
    const { allowedTools, model } = found;
    if (!agent) applyOverrides(session, found, "called by the model");
    const followUps = agent
      ? [skillText]
      : getTextIfChanged(session.shownSkills.get(name), skillText);
    if (!agent) session.shownSkills.set(name, skillText);
    return {
      content: `Launching skill: ${name}`,
      structured: {
        success: true,
        commandName: name,
        ...(allowedTools.length > 0 && { allowedTools: [...allowedTools] }),
        ...(model !== undefined && { model: resolveModel(model) }),
      },
      followUps,
    };
  },
};

const nameIn = (input: JsonObject): string => text(input, "skill").replace(/^\//, "");

const findCalledSkill = (input: JsonObject, { commands }: Session): SlashCommand | undefined =>
  commands.find(({ name }) => name === nameIn(input));

/** Returns the text only if the conversation does not contain it yet. */
function getTextIfChanged(before: string | undefined, skillText: string): string[] {
  if (before === undefined) return [skillText];
  if (before === skillText)
    return ["What this skill says stands above, word for word: it still holds."];
  return ["This skill was called before. What is new stands below.", skillText];
}
