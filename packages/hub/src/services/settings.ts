import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import type { AgentSetting, Environments, NewEnvironments, SessionDefaults } from "@signalbox/api";
import { agentSetting, sessionDefaults } from "@signalbox/api/schemas";
import { describeInvalidPackage, agentPackagePattern } from "@signalbox/runner/supervise";
import * as z from "zod";
import { digestParts, type SettingParts, type SettingsCheck } from "../devices/audited-settings.ts";
import { HubRefusal } from "../refusal.ts";
import { type Change, type Store, StoreError } from "../store/store.ts";
import type { DriverCatalog } from "./driver-catalog.ts";
import { LoadedSettings, parseStored } from "./loaded-settings.ts";
import {
  ENVIRONMENTS,
  listVariables,
  mapVariables,
  SALT,
  type StoredEnvironments,
  storedEnvironments,
} from "./stored-environments.ts";

const agentsSchema = z.array(agentSetting);
const initialDefaults: SessionDefaults = { permission: "default", askLimit: null };

/** The agent of sessions that name none. It exists without any settings. */
export const DEFAULT_AGENT = "claude-code";
const claudeCode: AgentSetting = { name: DEFAULT_AGENT, driver: "stdio", models: [], flags: [] };

/** The agents, environment profiles and defaults of sessions. */
export class Settings {
  readonly #store: Store;
  readonly #drivers: Pick<DriverCatalog, "requireKnown">;
  /** The agents that need no settings. A setting of the same name replaces one. */
  readonly #builtIn: readonly AgentSetting[];
  #agents: readonly AgentSetting[];
  #environments: StoredEnvironments = {};
  /** With it, the audit's digests of secrets cannot be guessed. */
  #salt: string | undefined;
  #sessionDefaults = initialDefaults;

  constructor(
    store: Store,
    drivers: Pick<DriverCatalog, "requireKnown">,
    offered: readonly AgentSetting[] = [],
  ) {
    this.#store = store;
    this.#drivers = drivers;
    this.#builtIn = [claudeCode, ...offered];
    this.#agents = this.#builtIn;
  }

  /**
   * Loads the settings. What the audit does not confirm, or nobody could have set, does not count; returned is
   * a part of a sentence for each.
   */
  async load(check?: SettingsCheck): Promise<readonly string[]> {
    const read = async <T>(key: string, schema: z.ZodType<T>, none: T): Promise<T | undefined> => {
      const stored = await this.#store.setting(key);
      return stored === undefined ? none : parseStored(schema, stored);
    };
    const [agents, environments, defaults] = await Promise.all([
      read("agents", agentsSchema, []),
      read(ENVIRONMENTS, storedEnvironments, {}),
      read("session-defaults", sessionDefaults.optional(), undefined),
    ]);
    this.#salt = await this.#store.setting(SALT);
    const audit = new LoadedSettings(this.#store, check);
    if (agents && areAllowed(agents) && (await audit.confirms("agents", toParts(agents)))) {
      this.#agents = this.#withBuiltIn(agents);
    } else audit.refuse("the agents in the settings");
    const variables = environments && listVariables(environments);
    if (environments && (await audit.confirms("environments", variables ?? {}, this.#salt))) {
      this.#environments = environments;
    } else audit.refuse("the environment profiles in the settings");
    if (await audit.confirms("session-defaults", { ...defaults })) {
      this.#sessionDefaults = defaults ?? initialDefaults;
    } else {
      audit.refuse("the permission and the time limit of new sessions in the settings");
      const { permission, askLimit } = check?.findNewest("session-defaults") ?? {};
      const { data } = sessionDefaults.safeParse({ permission, askLimit });
      this.#sessionDefaults = data ?? initialDefaults;
    }
    return audit.refused;
  }

  get agents(): readonly AgentSetting[] {
    return this.#agents;
  }
  /** The environment profiles without the values of secrets. */
  get environments(): Environments {
    return mapVariables(this.#environments, (storedValue) =>
      typeof storedValue === "string" ? null : storedValue,
    );
  }
  get sessionDefaults(): SessionDefaults {
    return this.#sessionDefaults;
  }

  agent(name: string): AgentSetting {
    const found = this.#agents.find((agent) => agent.name === name);
    if (found) return found;
    const known = this.#agents.map((agent) => agent.name).join(", ");
    const detail = `The agent "${name}" is not in the settings. Choose one of: ${known}.`;
    throw new HubRefusal(422, "no-such-agent", detail);
  }

  environment(name: string | undefined): Readonly<Record<string, string>> {
    if (name === undefined) return {};
    const values = Object.entries(this.#requireEnvironment(name)).map(([variable, storedValue]) => {
      if (storedValue !== null) return [variable, readValue(storedValue)];
      const detail = `The environment profile "${name}" has no value for ${variable}, because it comes from a backup without secrets. Enter the value again under Settings, Accounts.`;
      throw new HubRefusal(422, "no-such-environment", detail);
    });
    return Object.fromEntries(values);
  }

  #requireEnvironment(name: string): StoredEnvironments[string] {
    const found = Object.hasOwn(this.#environments, name) ? this.#environments[name] : undefined;
    if (found) return found;
    const detail = `The environment profile "${name}" is not in the settings.`;
    throw new HubRefusal(422, "no-such-environment", detail);
  }

  async setAgents(agents: readonly AgentSetting[], createEntry: CreateEntry): Promise<void> {
    refuseRepeatedNames(agents);
    for (const { name, path, npm, flags, driver, environment } of agents) {
      refusePermissionFlags(name, flags);
      refuseLooseFlags(name, flags);
      this.#drivers.requireKnown(driver);
      if (environment !== undefined) this.#requireEnvironment(environment);
      refuseAmbiguousProgram(name, path, npm);
    }
    const next = this.#withBuiltIn(agents);
    // Agents offered by this installation are not stored, because their paths belong to the installation.
    const isOffered = (agent: AgentSetting) =>
      this.#builtIn.some((one) => Bun.deepEquals(one, agent));
    const hiddenAgents = agents.filter((agent) => !isOffered(agent));
    await this.#store.commit([
      { kind: "setting", key: "agents", value: JSON.stringify(hiddenAgents) },
      createEntry(digestParts(toParts(hiddenAgents))),
    ]);
    this.#agents = next;
  }

  #withBuiltIn(agents: readonly AgentSetting[]): AgentSetting[] {
    const isNamed = ({ name }: AgentSetting) => agents.some((agent) => agent.name === name);
    return [...this.#builtIn.filter((agent) => !isNamed(agent)), ...agents];
  }

  /** Stores an entry of the audit log about something that changes no setting. */
  async audit(entry: Change): Promise<void> {
    await this.#store.commit([entry]);
  }

  /** Sets the environment profiles. A null value keeps the value that a variable has. */
  async setEnvironments(wanted: NewEnvironments, createEntry: CreateEntry): Promise<void> {
    const environments = mapVariables(wanted, (value, profile, variable) => {
      if (value !== null) return value;
      const known = Object.hasOwn(this.#environments, profile) && this.#environments[profile];
      if (known && Object.hasOwn(known, variable)) return known[variable] ?? null;
      const detail = `The variable ${variable} of the environment profile "${profile}" has no stored value to keep. Send its value.`;
      throw new HubRefusal(422, "no-such-value", detail);
    });
    try {
      await this.#storeEnvironments(environments, createEntry);
    } catch (failure) {
      if (!(failure instanceof StoreError) || failure.why !== "conflict") throw failure;
      this.#salt = await this.#store.setting(SALT); // another hub has added it first
      await this.#storeEnvironments(environments, createEntry);
    }
    this.#environments = environments;
  }

  async #storeEnvironments(
    environments: StoredEnvironments,
    createEntry: CreateEntry,
  ): Promise<void> {
    const salt = this.#salt ?? randomBytes(16).toString("hex");
    const added: Change = { kind: "setting-added", key: SALT, value: salt };
    await this.#store.commit([
      { kind: "setting", key: ENVIRONMENTS, value: JSON.stringify(environments) },
      ...(this.#salt === undefined ? [added] : []),
      createEntry(digestParts(listVariables(environments), salt)),
    ]);
    this.#salt = salt;
  }

  async setSessionDefaults(defaults: SessionDefaults, createEntry: CreateEntry): Promise<void> {
    const value = JSON.stringify(defaults);
    await this.#store.commit([
      { kind: "setting", key: "session-defaults", value },
      createEntry(digestParts({ ...defaults })),
    ]);
    this.#sessionDefaults = defaults;
  }
}

/** Makes the audit entry of a change, with facts that confirm what is stored. */
type CreateEntry = (facts: { readonly digests: Readonly<Record<string, string>> }) => Change;

function toParts(agents: readonly AgentSetting[]): SettingParts {
  return Object.fromEntries(agents.map((agent) => [agent.name, agent]));
}

/** Of two agents with one name the audit would confirm one, and the other could be the one that runs. */
function refuseRepeatedNames(agents: readonly AgentSetting[]): void {
  const names = agents.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  const detail = `Two agents have the name "${twice}". Rename one of them.`;
  throw new HubRefusal(422, "name-twice", detail);
}

function areAllowed(agents: readonly AgentSetting[]): boolean {
  try {
    refuseRepeatedNames(agents);
    for (const { name, flags, path, npm } of agents) {
      refusePermissionFlags(name, flags);
      refuseAmbiguousProgram(name, path, npm);
    }
    return true;
  } catch {
    return false;
  }
}

/** Options with which calls are allowed unasked, or more code runs, in every session of the agent. */
const looseFlag =
  /^--?(?:allowed-?tools|settings?|setting-sources|plugin|mcp-config|agents?|add-dir|permission)/i;

/**
 * Refuses them when agents are set; those that are stored from before count. A driver may choose any agent, so
 * that its flags must not loosen a session.
 */
function refuseLooseFlags(name: string, flags: readonly string[]): void {
  const flag = flags.find((each) => looseFlag.test(each));
  if (flag === undefined) return;
  const detail = `The agent "${name}" has the option ${flag}, which would allow calls unasked, or run more code, in every session. Choose it for a session, or in the settings of Claude Code.`;
  throw new HubRefusal(422, "askless-flag", detail);
}

function readValue(storedValue: string | { readonly value: string }): string {
  return typeof storedValue === "string" ? storedValue : storedValue.value;
}

/**
 * Refuses a program whose meaning depends on the folder that it is started in or on what is installed later.
 */
export function refuseAmbiguousProgram(name: string, path?: string, npm?: string): void {
  if (path !== undefined && npm !== undefined) {
    throw new HubRefusal(
      422,
      "two-programs",
      `The agent "${name}" has a path and a package. Set only one of them.`,
    );
  }
  if (path !== undefined && (!isAbsolute(path) || path.includes("\0"))) {
    const flaw = path.includes("\0") ? "contains a NUL character" : "is not an absolute path";
    const shown = path.replaceAll("\0", "␀");
    const detail = `The program of the agent "${name}", "${shown}", ${flaw}.`;
    throw new HubRefusal(422, "bad-path", detail);
  }
  if (npm === undefined || agentPackagePattern.test(npm)) return;
  throw new HubRefusal(
    422,
    "bad-package",
    `The agent "${name}" cannot be saved: ${describeInvalidPackage(npm)}`,
  );
}

/**
 * Refuses flags that let an agent act without asking. Only a policy may do that: it belongs to one session,
 * ends, and is always shown.
 */
function refusePermissionFlags(name: string, flags: readonly string[]): void {
  const flag = flags.find((each) =>
    /skip-permissions|permission-mode|permission-prompt/.test(each),
  );
  if (flag === undefined) return;
  const detail = `The agent "${name}" has the option ${flag}, which would override who is asked for permission. Use a session policy instead.`;
  throw new HubRefusal(422, "askless-flag", detail);
}
