import type {
  AgentSetting,
  AgentView,
  Environments,
  NewEnvironments,
  SessionDefaults,
} from "@signalbox/api";
import type { Actor } from "../actor.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { AgentVersions } from "./agent-versions.ts";
import { refuseAmbiguousProgram, type Settings } from "./settings.ts";

/** The agents and environment profiles that an admin sets. */
export class SettingsService {
  readonly #settings: Settings;
  readonly #versions: AgentVersions;

  constructor(settings: Settings, versions: AgentVersions) {
    this.#settings = settings;
    this.#versions = versions;
  }

  /** The agents, each with the path at which it was found on a machine or the reason why it was not. */
  listAgents(runner?: string): Promise<AgentView[]> {
    return Promise.all(
      this.#settings.agents.map((agent) => this.#versions.describe(agent, runner)),
    );
  }

  /** Checks an agent on a machine in the same way; the agent need not be in the settings. */
  async testAgent(agent: AgentSetting, by: Actor, runner?: string): Promise<AgentView> {
    const { name, path, npm } = agent;
    refuseAmbiguousProgram(name, path, npm);
    await this.#settings.audit(createAuditChange("agent-tested", by, null, { name, path, npm }));
    return this.#versions.describe(agent, runner);
  }

  async setAgents(agents: readonly AgentSetting[], by: Actor): Promise<void> {
    const facts = {
      agents: agents.map(({ name, path, npm, driver, flags, environment }) => {
        return { name, path, npm, driver, flags, environment };
      }),
    };
    await this.#settings.setAgents(agents, (digests) =>
      createAuditChange("agents-set", by, null, { ...facts, ...digests }),
    );
  }

  async getEnvironments(): Promise<Environments> {
    return this.#settings.environments;
  }

  async setEnvironments(profiles: NewEnvironments, by: Actor): Promise<void> {
    // Only names, because the values may be secrets. What a variable's name is decides what it can do.
    const variables = Object.entries(profiles).map(([name, storedVariables]) => [
      name,
      Object.keys(storedVariables),
    ]);
    const facts = { profiles: Object.keys(profiles), variables: Object.fromEntries(variables) };
    await this.#settings.setEnvironments(profiles, (digests) =>
      createAuditChange("environments-set", by, null, { ...facts, ...digests }),
    );
  }

  async getSessionDefaults(): Promise<SessionDefaults> {
    return this.#settings.sessionDefaults;
  }

  async setSessionDefaults(defaults: SessionDefaults, by: Actor): Promise<void> {
    const { permission, askLimit } = this.#settings.sessionDefaults;
    const facts = { ...defaults, before: { permission, askLimit } };
    await this.#settings.setSessionDefaults(defaults, (digests) =>
      createAuditChange("session-defaults-set", by, null, { ...facts, ...digests }),
    );
  }
}
