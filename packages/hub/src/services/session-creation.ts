import type { NewSession, SessionSummary } from "@signalbox/api";
import type { Actor } from "../actor.ts";
import { requireAskingMode } from "../asks/asking-mode.ts";
import { getPermissionFacts } from "../devices/audited-permissions.ts";
import { checkCreation, getDefaultPolicy, isDriver } from "../session/driver-limits.ts";
import { fillSecrets, readVariables, requireEffort } from "../session/session-options.ts";
import { RELAY_DRIVER, Session, type SessionDeps } from "../session/session.ts";
import { createEmptySummary, type Sessions } from "../session/sessions.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, SessionRow } from "../store/store.ts";
import type { MakeReceipt } from "../store/make-receipt.ts";
import type { AgentVersions } from "./agent-versions.ts";
import { getBypassEnd, requireBypassPolicy, requireConfirmation } from "./policy.ts";
import type { ProjectOptionsService } from "./project-options-service.ts";
import { createPromptRow } from "./prompt-service.ts";
import type { SessionFolders } from "./session-folders.ts";
import type { DriverCatalog } from "./driver-catalog.ts";
import { DEFAULT_AGENT } from "./settings.ts";

interface SessionCreationOptions {
  readonly deps: SessionDeps;
  readonly sessions: Sessions;
  readonly folders: SessionFolders;
  readonly versions: AgentVersions;
  readonly drivers: DriverCatalog;
  readonly projectOptions: Pick<ProjectOptionsService, "apply">;
  readonly ownRunner: string;
  readonly relayRunner: string | undefined;
}

/** Checks what a new session is to be made with, and stores it. A refusal leaves nothing behind. */
export class SessionCreation {
  readonly #options: SessionCreationOptions;

  constructor(options: SessionCreationOptions) {
    this.#options = options;
  }

  async create(
    id: string,
    request: NewSession,
    by: Actor,
    makeReceipt: MakeReceipt<SessionSummary>,
  ): Promise<Session> {
    const { deps, sessions, folders, versions, drivers, projectOptions, ownRunner, relayRunner } =
      this.#options;
    sessions.requireCapacity();
    requireAskingMode(request.mode);
    if (request.effort !== undefined) requireEffort(request.effort);
    checkCreation(by, request);
    requireBypassPolicy(request.policy, request.bypassMinutes);
    requireConfirmation(request.policy, request.confirmed);
    const runner = request.runner ?? ownRunner;
    folders.requireRunner(runner);
    const relayed = runner === relayRunner;
    const allowed = isDriver(by) && !relayed ? folders.listAllowed(runner) : undefined;
    const named = await folders.resolve(runner, request.folder, allowed);
    const options = relayed ? request : projectOptions.apply(request, runner, named, by);
    const { prompt, confirmed: _, withoutDefaults: _w, ...given } = options;
    const storedOptions = fillSecrets(given, {});
    const agent = deps.getAgent(options.agent ?? DEFAULT_AGENT);
    const driver = relayed ? RELAY_DRIVER : (options.driver ?? agent.driver);
    if (!relayed) drivers.requireKnown(driver, runner);
    const { environment = agent.environment } = options;
    const variables = {
      ...deps.getEnvironment(environment),
      ...readVariables(storedOptions.variables),
    };
    for (const extra of options.addDirs ?? []) await folders.require(runner, extra, allowed);
    if (!relayed) {
      await folders.requireConfigFolder(runner, variables, environment);
      await versions.requireOptions(agent, runner, options);
    }
    const { worktree } = options;
    const folder =
      worktree === undefined
        ? named
        : await folders.makeWorktree(id, runner, named, worktree, allowed);
    const policy = options.policy ?? getDefaultPolicy(by, deps.getSessionDefaults());
    const at = deps.clocks.now();
    const row: SessionRow = {
      id,
      folder,
      title: options.title ?? "",
      named: options.title !== undefined,
      agent: agent.name,
      driver,
      runner,
      policy,
      bypassUntil: getBypassEnd(policy, options.bypassMinutes, at),
      pinned: false,
      archived: false,
      labels: [],
      snoozedUntil: null,
      trashedAt: null,
      createdAt: at,
      options: { ...storedOptions, folder, startedBy: by.role },
      forkOf: null,
      conversation: null,
      state: "new",
      problem: null,
      run: null,
      colour: null,
    };
    const bypass = row.bypassUntil === null ? {} : { until: row.bypassUntil, confirmed: true };
    const place = worktree === undefined ? { folder } : { folder, worktree };
    const facts = { ...place, agent: agent.name, ...getPermissionFacts(row), ...bypass };
    const session = new Session(deps, row, createEmptySummary(), 0);
    const first = prompt ? createPromptRow(session, id, prompt) : undefined;
    const changes: Change[] = [
      { kind: "session", row },
      ...(first?.changes ?? []),
      createAuditChange("session-created", by, id, facts),
      ...makeReceipt(session.summary),
    ];
    await deps.store.commit(changes, session.getFence());
    if (first) session.prompts.put(first.row);
    sessions.add(session);
    session.notifyChanged();
    if (first) await session.tryToWake(by);
    return session;
  }
}
