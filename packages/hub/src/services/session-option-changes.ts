import type { SessionOptionsChange } from "@signalbox/api";
import type { Actor } from "../actor.ts";
import { requireAskingMode } from "../asks/asking-mode.ts";
import { getPermissionFacts } from "../devices/audited-permissions.ts";
import { HubRefusal } from "../refusal.ts";
import {
  checkOptionsChange,
  isDriver,
  isLimitedToAllowedFolders,
} from "../session/driver-limits.ts";
import { fillSecrets, readVariables, requireEffort } from "../session/session-options.ts";
import { RELAY_DRIVER, type Session, type SessionDeps } from "../session/session.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, SessionRow } from "../store/store.ts";
import type { AgentVersions } from "./agent-versions.ts";
import type { SessionFolders } from "./session-folders.ts";
import type { DriverCatalog } from "./driver-catalog.ts";
import { DEFAULT_AGENT } from "./settings.ts";

interface SessionOptionChangesOptions {
  readonly deps: SessionDeps;
  readonly folders: SessionFolders;
  readonly versions: AgentVersions;
  readonly drivers: DriverCatalog;
}

/** Changes what the agent of a session is started with, from its next start on. */
export class SessionOptionChanges {
  readonly #options: SessionOptionChangesOptions;

  constructor(options: SessionOptionChangesOptions) {
    this.#options = options;
  }

  async change(session: Session, change: SessionOptionsChange, by: Actor): Promise<void> {
    const { deps, drivers } = this.#options;
    checkOptionsChange(by, change, session.row.options);
    requireStartedHere(session.row);
    requireAskingMode(change.mode ?? undefined);
    if (typeof change.effort === "string") requireEffort(change.effort);
    if (typeof change.driver === "string") drivers.requireKnown(change.driver, session.row.runner);
    await this.#requireUsable(applyChange(session.row, change, deps), change, session.row, by);
    // The checks take time, so that the row may be another one now.
    checkOptionsChange(by, change, session.row.options);
    const before = session.row;
    const changed = applyChange(before, change, deps);
    const names = listChanged(before, changed);
    if (names.length === 0) return;
    const options = {
      ...changed.options,
      ...(session.alive && before.run !== null && { changedInRun: before.run }),
      ...(names.includes("systemPrompt") &&
        before.conversation !== null && { isSystemPromptChanged: true as const }),
    };
    const { agent, driver } = changed;
    const entries = listAuditEntries(before, { ...changed, options }, names, by);
    await session.write({ agent, driver, options }, entries);
  }

  /** Refuses options with which the agent could not start. */
  async #requireUsable(
    next: SessionRow,
    change: SessionOptionsChange,
    { runner, options: before }: SessionRow,
    by: Actor,
  ): Promise<void> {
    const { deps, folders, versions } = this.#options;
    const agent = deps.getAgent(next.agent);
    const { environment = agent.environment, variables } = next.options;
    const merged = { ...deps.getEnvironment(environment), ...readVariables(variables) };
    const isLimited = isDriver(by) || isLimitedToAllowedFolders(next);
    const allowed = isLimited && change.addDirs ? folders.listAllowed(runner) : undefined;
    for (const folder of change.addDirs ?? []) {
      if (!before.addDirs?.includes(folder)) await folders.require(runner, folder, allowed);
    }
    const isAccountChanged = ["agent", "environment", "variables"].some((name) => name in change);
    if (isAccountChanged) await folders.requireConfigFolder(runner, merged, environment);
    await versions.requireOptions(agent, runner, next.options);
  }
}

/** Refuses the options of an agent that dials in: the hub does not start it. */
function requireStartedHere({ driver }: SessionRow): void {
  if (driver !== RELAY_DRIVER) return;
  const detail =
    "The agent of this session is started elsewhere and dials in. Set its options where it is started.";
  throw new HubRefusal(409, "agent-dials-in", detail);
}

/** The row with the changed options. Null removes an option; what is absent stays. */
function applyChange(
  row: SessionRow,
  change: SessionOptionsChange,
  deps: Pick<SessionDeps, "getAgent">,
): SessionRow {
  const { mcpServers, variables, ...others } = change;
  const isGiven = ([, value]: [string, unknown]) => value !== undefined && value !== null;
  const given = Object.fromEntries(Object.entries(others).filter(isGiven));
  const secrets = fillSecrets(
    { ...(mcpServers && { mcpServers }), ...(variables && { variables }) },
    row.options,
  );
  const isRemoved = (name: string) => change[name as keyof SessionOptionsChange] === null;
  const remaining = Object.entries(row.options).filter(([name]) => !isRemoved(name));
  const agent = change.agent === null ? DEFAULT_AGENT : (change.agent ?? row.agent);
  const driver =
    change.driver === null ? deps.getAgent(agent).driver : (change.driver ?? row.driver);
  const options = Object.fromEntries(remaining) as SessionRow["options"];
  return { ...row, agent, driver, options: { ...options, ...given, ...secrets } };
}

/** The names of the options that are no longer the same. */
function listChanged(before: SessionRow, after: SessionRow): string[] {
  const list = ({ agent, driver, options }: SessionRow) => ({ ...options, agent, driver });
  const old: Record<string, unknown> = list(before);
  const next: Record<string, unknown> = list(after);
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...names].filter((name) => !Bun.deepEquals(old[name], next[name])).toSorted();
}

/** The entries name the options without their values, which may be secrets. */
function listAuditEntries(
  before: SessionRow,
  after: SessionRow,
  names: readonly string[],
  by: Actor,
): Change[] {
  const { id } = before;
  const isolations = [before, after].map(({ options }) => options.isolation ?? "default");
  const [from, to] = isolations;
  const { fixedOptions } = getPermissionFacts(after);
  const drivers = { from: before.driver, to: after.driver };
  return [
    createAuditChange("options-changed", by, id, { names, fixedOptions }),
    ...(from === to ? [] : [createAuditChange("isolation-changed", by, id, { from, to })]),
    ...(drivers.from === drivers.to ? [] : [createAuditChange("driver-changed", by, id, drivers)]),
  ];
}
