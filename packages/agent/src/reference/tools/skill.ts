import { expand } from "../commands/commands.ts";
import { withOutputs } from "../commands/embedded.ts";
import { addRule } from "../permission/verdict.ts";
import { shape, string, text, type Tool, ToolFailure } from "./tool.ts";

export const skill: Tool = {
  name: "Skill",
  description:
    "Loads a skill or a command of this project by its name: what it says is then to be followed. Which there are is told with the prompt.",
  input: shape({ skill: string("Its name") }, { args: string("What to give it") }),
  describe: (input) => text(input, "skill"),
  async refuse(input, session) {
    const name = text(input, "skill").replace(/^\//, "");
    const known = session.commands.some((one) => one.name === name && one.forModel);
    return known ? undefined : `Unknown skill: ${name}`;
  },
  judge(input, { session }) {
    const name = text(input, "skill").replace(/^\//, "");
    const has = (behavior: "allow" | "deny") =>
      session.permission.rules[behavior].some(
        ({ tool, content }) => tool === "Skill" && content === name,
      );
    if (has("deny"))
      return {
        behavior: "deny",
        message: `Permission to use skill ${name} has been denied.`,
        reason: "rule",
      };
    const plain = session.commands.some((one) => one.name === name && !/!`/.test(one.body));
    if (has("allow") || plain) return { behavior: "allow" };
    return { behavior: "pass", suggestions: [addRule("Skill", name, "localSettings")] };
  },
  async run(input, { session, signal }) {
    const name = text(input, "skill").replace(/^\//, "");
    const found = session.commands.find((one) => one.name === name);
    if (!found) throw new ToolFailure(`Unknown skill: ${name}`);
    const whole = expand(found, text(input, "args"));
    const said = await withOutputs(whole, session, signal).catch((cause: Error) => {
      throw new ToolFailure(cause.message);
    });
    return {
      content: `Launching skill: ${name}`,
      structured: { success: true, commandName: name },
      followUps: [said],
    };
  },
};
