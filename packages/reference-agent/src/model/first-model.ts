import type { AgentContext } from "@signalbox/agent";
import type { Settings } from "../settings.ts";
import { PLANNER } from "./models.ts";

/** What a session begins with. One that goes on keeps the model that answered last in it, unless it
 * is told another: settings are for those that begin. */
export function firstModel(
  { options, conversation }: AgentContext,
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const told = options.model || environment["ANTHROPIC_MODEL"];
  if (told) return told;
  const last = conversation.map(getModel).findLast((model) => model !== undefined);
  return last === undefined || mayAnswerAs(settings.model, last) ? settings.model : last;
}

function getModel({ type, message }: AgentContext["conversation"][number]): string | undefined {
  const model = type === "assistant" ? message?.["model"] : undefined;
  return typeof model === "string" && model !== "<synthetic>" ? model : undefined;
}

/** Names that mean one model for plans and another for the rest: either may have answered. */
function mayAnswerAs(choice: string | undefined, model: string): boolean {
  if (choice === "haiku") return model.includes("sonnet");
  return choice === PLANNER && /opus|sonnet/.test(model);
}
