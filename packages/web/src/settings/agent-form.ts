import type { AgentSetting, AgentView } from "@signalbox/api";
import { settingsStrings } from "../strings/settings-strings.ts";

const text = settingsStrings.agents;

export type AgentSource = "found" | "path" | "npm";

/** An agent as it is edited. */
export interface AgentDraft {
  readonly name: string;
  readonly source: AgentSource;
  readonly path: string;
  readonly npm: string;
  readonly driver: string;
  readonly model: string;
  /** Names with commas between. */
  readonly models: string;
  /** One flag per line. */
  readonly flags: string;
  readonly environment: string;
}

export const newAgentDraft: AgentDraft = {
  name: "",
  source: "found",
  path: "",
  npm: "",
  driver: "stdio",
  model: "",
  models: "",
  flags: "",
  environment: "",
};

/** An agent's settings, without what the hub has found out about it. */
export function toSetting(agent: AgentView): AgentSetting {
  const { found: _found, problem: _problem, unsupported: _unsupported, ...setting } = agent;
  return setting;
}

export function toAgentDraft(agent: AgentSetting): AgentDraft {
  const { name, path, npm, driver, model, models, flags, environment } = agent;
  return {
    name,
    source: npm !== undefined ? "npm" : path !== undefined ? "path" : "found",
    path: path ?? "",
    npm: npm ?? "",
    driver,
    model: model ?? "",
    models: models.join(", "),
    flags: flags.join("\n"),
    environment: environment ?? "",
  };
}

export function fromAgentDraft(draft: AgentDraft): AgentSetting {
  const { source, driver } = draft;
  const model = draft.model.trim();
  const environment = draft.environment;
  return {
    name: draft.name.trim(),
    ...(source === "path" && { path: draft.path.trim() }),
    ...(source === "npm" && { npm: draft.npm.trim() }),
    driver,
    ...(model !== "" && { model }),
    models: splitTrimmed(draft.models, ","),
    flags: splitTrimmed(draft.flags, "\n"),
    ...(environment !== "" && { environment }),
  };
}

function splitTrimmed(value: string, separator: string): string[] {
  const parts = value.split(separator).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** What keeps a draft from being saved. `others`: the names of the other agents. */
export function findAgentProblem(draft: AgentDraft, others: readonly string[]): string | undefined {
  const name = draft.name.trim();
  if (name === "") return text.nameNeeded;
  return others.includes(name) ? text.nameTaken(name) : undefined;
}
