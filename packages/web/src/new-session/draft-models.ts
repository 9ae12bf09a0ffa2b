import type { AgentModel, AgentView } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

/** What Claude Code calls its own choice of a model; the draft has that without a name. */
const AGENTS_CHOICE = "default";
/** Names that every version of Claude Code understands, for the time before an agent has told its models. */
const wellKnown = ["opus", "sonnet", "haiku"];

/** The models to choose from for a new session, beginning with the agent's own choice. */
export function listDraftModels(
  reported: readonly AgentModel[],
  agent: AgentView | undefined,
): readonly AgentModel[] {
  const known = reported.filter(({ value }) => value !== AGENTS_CHOICE);
  const names = [...(known.length > 0 ? [] : wellKnown), ...(agent?.models ?? [])];
  const further = names
    .filter((name) => !known.some(({ value }) => value === name))
    .map((name) => ({ value: name, name, efforts: [] }));
  return [{ value: "", name: strings.newSession.defaultModel, efforts: [] }, ...known, ...further];
}

/** The effort levels of the chosen model, or all if the agent has not told them. */
export function listDraftEfforts(
  reported: readonly AgentModel[],
  model: string | undefined,
): readonly string[] {
  const chosen = reported.find(({ value }) => value === (model ?? AGENTS_CHOICE));
  return chosen && chosen.efforts.length > 0
    ? chosen.efforts
    : Object.keys(strings.composer.efforts);
}
