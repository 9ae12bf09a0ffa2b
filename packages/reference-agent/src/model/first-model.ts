import type { AgentContext } from "@signalbox/agent";
import type { Settings } from "../settings.ts";
import { PLANNER } from "./models.ts";

/**
 * Chooses the first model of a session. A resumed session keeps the model that answered last,
 * unless another is requested: settings only apply to new sessions.
 */
export function firstModel(
  { options, conversation }: AgentContext,
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const configuredModel = options.model || environment["ANTHROPIC_MODEL"];
  if (configuredModel) return configuredModel;
  const last = conversation.map(getModel).findLast((model) => model !== undefined);
  return last === undefined || mayAnswerAs(settings.model, last) ? settings.model : last;
}

function getModel({ type, message }: AgentContext["conversation"][number]): string | undefined {
  const model = type === "assistant" ? message?.["model"] : undefined;
  return typeof model === "string" && model !== "<synthetic>" ? model : undefined;
}

/** Whether a name that means one model for plans and another otherwise may mean this model. */
function mayAnswerAs(choice: string | undefined, model: string): boolean {
  if (choice === "haiku") return model.includes("sonnet");
  return choice === PLANNER && /opus|sonnet/.test(model);
}
