import type { FolderContents } from "@signalbox/api";
import type { IsolationProfile, NewSession, SessionChange } from "@signalbox/api";
import { formatLogMarker } from "@signalbox/protocol";
import { type Actor, type StoredTogether, Refusal, type SessionSummary } from "../engine.ts";
import {
  createMachineAwayRefusal,
  type RunnerLink,
  createRunnerAwayRefusal,
} from "../link/runner-link.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, PromptRow, SessionRow } from "../store/store.ts";
import { requireAllowedFolder } from "./allowed-folders.ts";
import { isAudited, saveChoice, toAgentRequest } from "./agent-requests.ts";
import { copyLog, findCut, type ForkPoint } from "./copy-log.ts";
import {
  getForkOptions,
  getForkPolicy,
  isDriver,
  checkChange,
  checkCreation,
  checkRequest,
  type PermissionState,
} from "../session/driver-limits.ts";
import { resolveFolder } from "./resolve-folder.ts";
import { SingleFlight } from "./single-flight.ts";
import { type LastPrompt, findLastPrompt } from "./last-prompt.ts";
import { rebuildItems } from "../session/load-state.ts";
import {
  getBypassEnd,
  requireAskingMode,
  requireBypassPolicy,
  requireConfirmation,
  setPolicy,
} from "./policy.ts";
import { createPromptRow } from "./prompt-service.ts";
import { createNoSuchRunnerRefusal } from "../link/runner-links.ts";
import { refuseUnknownDriver } from "./settings.ts";
import { RELAYED, Session, type SessionDeps } from "../session/session.ts";
import { createEmptySummary, type Sessions } from "../session/sessions.ts";

/** What people do with sessions. Each is stored before it is answered. */
export class SessionCommands {
  readonly #deps: SessionDeps;
  readonly #sessions: Sessions;
  readonly #ownRunner: string;
  readonly #creating = new SingleFlight<Session>();
  readonly #retrying = new SingleFlight<void>();

  readonly #relayRunner: string | undefined;
  readonly #knownRunners: () => ReadonlyMap<string, string>;

  constructor(
    around: SessionDeps,
    sessions: Sessions,
    knownRunners: () => ReadonlyMap<string, string>,
    ownRunner: string,
    relayRunner?: string,
  ) {
    this.#knownRunners = knownRunners;
    this.#relayRunner = relayRunner;
    this.#deps = around;
    this.#sessions = sessions;
    this.#ownRunner = ownRunner;
  }

  async create(
    id: string,
    options: NewSession,
    by: Actor,
    also: StoredTogether<SessionSummary> = () => [],
  ): Promise<Session> {
    const existing = this.#sessions.find(id);
    if (existing?.row.state === "new") await existing.tryToWake(by); // the hub had died before it
    return existing ?? this.#creating.run(id, () => this.#create(id, options, by, also)); // once each
  }

  async #create(
    id: string,
    options: NewSession,
    by: Actor,
    also: StoredTogether<SessionSummary> = () => [],
  ): Promise<Session> {
    this.#sessions.requireCapacity();
    requireAskingMode(options.mode);
    checkCreation(by, options);
    requireBypassPolicy(options.policy, options.bypassMinutes);
    requireConfirmation(options.policy, options.confirmed);
    const { prompt, confirmed: _, ...kept } = options;
    const agent = this.#deps.getAgent(options.agent ?? "claude-code");
    const runner = options.runner ?? this.#ownRunner;
    this.#requireRunner(runner);
    const relayed = runner === this.#relayRunner;
    const driver = relayed ? RELAYED : (options.driver ?? agent.driver);
    if (!relayed) refuseUnknownDriver(driver);
    this.#deps.getEnvironment(options.environment ?? agent.environment);
    const allowed = isDriver(by) && !relayed ? this.#listAllowedFolders(runner) : undefined;
    const named = await this.#resolveFolder(runner, options.folder, allowed);
    for (const extra of options.addDirs ?? []) await this.#requireFolder(runner, extra, allowed);
    const { worktree } = options;
    const folder =
      worktree === undefined
        ? named
        : await this.#makeWorktree(id, runner, named, worktree, allowed);
    const policy = options.policy ?? "default";
    const at = Date.now();
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
      createdAt: at,
      options: { ...kept, folder, startedBy: by.role },
      forkOf: null,
      conversation: null,
      state: "new",
      problem: null,
      run: null,
      colour: null,
    };
    const bypass = row.bypassUntil === null ? {} : { until: row.bypassUntil, confirmed: true };
    const place = worktree === undefined ? { folder } : { folder, worktree };
    const facts = { ...place, policy, agent: agent.name, ...bypass };
    const session = new Session(this.#deps, row, createEmptySummary(), 0);
    const first = prompt ? createPromptRow(session, id, prompt) : undefined;
    await this.#deps.store.commit([
      { kind: "session", row },
      ...(first?.changes ?? []),
      createAuditChange("session-created", by, id, facts),
      ...also(session.view),
    ]);
    if (first) session.prompts.put(first.row);
    this.#sessions.add(session);
    session.changed();
    if (first) await session.tryToWake(by);
    return session;
  }

  /** One that is away will come; one that nobody knows never does. */
  #requireRunner(runner: string): void {
    const known = this.#knownRunners();
    if (!known.has(runner)) throw createNoSuchRunnerRefusal(422, runner, known);
  }

  /** A runner of before does not heed the limit, and on another machine nobody else can. */
  #listAllowedFolders(runner: string): readonly string[] {
    const link = this.#deps.findLink(runner);
    if (link && link.home === undefined && !link.own) {
      const detail = `The runner of the machine ${link.machine} is older than this hub and cannot keep a driver below the allowed folders. Update it, or start the session from a device that approves.`;
      throw new Refusal(409, "runner-too-old", detail);
    }
    return this.#deps.listAllowedFolders(runner);
  }

  /**
   * The session's folder without links, so that one folder of a machine is one project. The runner of
   * another machine is asked if it is there, and looks at the start; while it is away, the path is taken
   * as it was given.
   */
  async #resolveFolder(
    runner: string,
    folder: string,
    allowed?: readonly string[],
  ): Promise<string> {
    const named = await resolveFolder(runner === this.#ownRunner, folder);
    if (runner === this.#relayRunner) return named;
    if (runner !== this.#ownRunner)
      return (await this.#resolveRemoteFolder(runner, named, allowed)) ?? named;
    if (allowed) requireAllowedFolder(named, allowed);
    return named;
  }

  /** An extra folder has to be there: the agent would say nothing of a missing one. */
  async #requireFolder(runner: string, folder: string, allowed?: readonly string[]): Promise<void> {
    const named = await resolveFolder(runner === this.#ownRunner, folder);
    if (allowed && runner === this.#ownRunner) requireAllowedFolder(named, allowed);
    if (runner === this.#ownRunner || runner === this.#relayRunner) return;
    await this.#resolveRemoteFolder(runner, named, allowed);
  }

  /** The folder as its machine knows it, without links; undefined: that is away and cannot tell. */
  async #resolveRemoteFolder(
    runner: string,
    path: string,
    allowed?: readonly string[],
  ): Promise<string | undefined> {
    const link = this.#deps.findLink(runner);
    const limits = allowed ? { allowed: [...allowed] } : {};
    const order = { kind: "list-folder", path, ...limits } as const;
    const found = await link?.sendOrder(crypto.randomUUID(), order);
    return (found as FolderContents | undefined)?.path;
  }

  /** Made before the session is: where there is none, there is no session either. */
  async #makeWorktree(
    id: string,
    runner: string,
    folder: string,
    branch: string,
    allowed?: readonly string[],
  ): Promise<string> {
    const link = this.#deps.findLink(runner);
    if (!link) throw createMachineAwayRefusal();
    const limits = allowed ? { allowed: [...allowed] } : {};
    const order = { kind: "make-worktree", folder, branch, ...limits } as const;
    return ((await link.sendOrder(`${id}.worktree`, order)) as { folder: string }).folder;
  }

  async change(session: Session, change: SessionChange, by: Actor): Promise<void> {
    const { title, pinned, archived, colour, policy, bypassMinutes, driver, isolation } = change;
    checkChange(by, change, getPermissionState(session));
    requireBypassPolicy(policy, bypassMinutes);
    requireConfirmation(policy, change.confirmed);
    if (driver !== undefined) await this.#setDriver(session, driver, by);
    if (isolation !== undefined) await this.#setIsolation(session, isolation, by);
    if (policy !== undefined && !(isDriver(by) && policy === session.row.policy)) {
      checkChange(by, change, getPermissionState(session)); // it may have been made stricter meanwhile
      await setPolicy(session, policy, bypassMinutes, by);
    }
    const patch = {
      ...(title !== undefined && { title, named: true }),
      ...(pinned !== undefined && { pinned }),
      ...(archived !== undefined && { archived }),
      ...(colour !== undefined && { colour }),
    };
    if (Object.keys(patch).length > 0) await session.write(patch);
  }

  /** From the next run on: both ends of it are the same conversation of the agent's. */
  async #setDriver(session: Session, driver: string, by: Actor): Promise<void> {
    const { driver: from } = session.row;
    refuseUnknownDriver(from); // an agent that dials in by itself is nobody's to start
    refuseUnknownDriver(driver);
    if (driver === from) return;
    await session.write({ driver }, [
      createAuditChange("driver-changed", by, session.id, { from, to: driver }),
    ]);
  }

  /** Counts from the next run on. */
  async #setIsolation(session: Session, isolation: IsolationProfile, by: Actor): Promise<void> {
    const { options } = session.row;
    const from = options.isolation ?? "default";
    if (isolation === from) return;
    await session.write({ options: { ...options, isolation } }, [
      createAuditChange("isolation-changed", by, session.id, { from, to: isolation }),
    ]);
  }

  async delete(session: Session, by: Actor): Promise<void> {
    // One whose runner is away is ended when that comes back and tells of it.
    if (session.link) await this.stop(session, by, false);
    await this.#deps.store.commit([
      { kind: "session-deleted", id: session.id },
      // Without its title, which may be what was asked first: the audit is never deleted.
      createAuditChange("session-deleted", by, session.id, {}),
    ]);
    session.close();
    this.#sessions.remove(session.id);
    this.#deps.asks.removeSession(session.id);
    session.changed();
  }

  async request(session: Session, subtype: string, fields: object, by: Actor): Promise<unknown> {
    const told = toAgentRequest(subtype, { ...fields });
    checkRequest(by, subtype, { ...fields }, getPermissionState(session).mode);
    const order = {
      kind: "request",
      session: session.id,
      run: requireLiveRun(session),
      ...told,
    } as const;
    const answer = await requireLink(session).sendOrder(crypto.randomUUID(), order);
    await saveChoice(session, subtype, { ...fields });
    if (isAudited(subtype)) {
      const facts = { request: subtype, ...fields };
      await this.#deps.store.commit([createAuditChange("agent-told", by, session.id, facts)]);
    }
    return answer;
  }

  /** Ends the run and waits until it is over. */
  async stop(session: Session, by: { readonly name: string }, park: boolean): Promise<void> {
    if (!session.alive || session.row.run === null) return;
    const { run } = session.row;
    const order = { kind: "stop", session: session.id, run, park } as const;
    await requireLink(session).sendOrder(`${run}.stop`, order).catch(ignoreNotRunning);
    await session.over();
    await this.#deps.store.commit([
      createAuditChange(park ? "parked" : "stopped", by, session.id, { run }),
    ]);
  }

  /** The last message again, after the last good one before it: what came since is cut off. */
  retry(session: Session, by: Actor, fresh: boolean): Promise<void> {
    return this.#retrying.run(session.id, () => this.#retry(session, by, fresh));
  }

  async #retry(session: Session, by: Actor, fresh: boolean): Promise<void> {
    await session.loadIngest();
    if (!fresh && isWaitingToStart(session)) return session.wake(by);
    const last = await findLastPrompt(
      this.#deps.store,
      session.id,
      session.prompts.rows.length > 0,
    );
    if (last === "rewound") return session.wake(by); // it is on its way already
    if (!last) {
      throw new Refusal(409, "nothing-to-retry", "Nothing has been said in this session yet.");
    }
    session.requireRunParts(); // before anything is changed
    await this.stop(session, by, false);
    const { takeUp = {}, ...options } = session.row.options;
    const at = fresh ? undefined : last.resumePoint;
    const conversation = await session.loadIngest();
    conversation.addMarker(formatRewind(at), null);
    await conversation.flush(); // before it is done: what a second retry finds must be true
    await session.write(
      at === undefined
        ? { conversation: null, options } // nothing good came before it
        : { options: { ...options, takeUp: { ...takeUp, at } } },
    );
    const entry = createAuditChange("retried", by, session.id, { fresh, at });
    // One that never arrived waits by itself.
    const again = session.prompts.get(last.id)
      ? undefined
      : this.#createRepeatedPrompt(session, last);
    const anew = await this.#renumberUnansweredPrompts(session);
    const renamed = anew.flatMap(({ before, row }): Change[] => [
      { kind: "prompt-gone", id: before },
      { kind: "prompt", row },
    ]);
    await this.#deps.store.commit([...(again?.changes ?? []), ...renamed, entry]);
    if (again) session.prompts.put(again.row);
    for (const { before, row } of anew) {
      session.prompts.remove(before);
      session.prompts.put(row);
    }
    session.changed();
    await session.wake(by);
  }

  /** Messages that the agent was given and never took up are said after the one that is said again. */
  async #renumberUnansweredPrompts(
    session: Session,
  ): Promise<{ before: string; row: PromptRow }[]> {
    const anew = [];
    for (const row of session.prompts.rows) {
      if (!(await this.#deps.store.item(session.id, row.id))) continue;
      anew.push({ before: row.id, row: { ...row, id: crypto.randomUUID() } });
    }
    return anew;
  }

  /** Before all that wait. */
  #createRepeatedPrompt(session: Session, { prompt }: LastPrompt) {
    const place = (session.prompts.rows[0]?.place ?? 1) - 1;
    return createPromptRow(session, crypto.randomUUID(), prompt, place);
  }

  /** A copy of a session that goes its own way, with all that was said up to a message. */
  async fork(session: Session, id: string, from: ForkPoint, by: Actor): Promise<Session> {
    const existing = this.#sessions.find(id);
    if (existing?.row.state === "new") await existing.tryToWake(by); // the hub had died before it
    return existing ?? this.#creating.run(id, () => this.#fork(session, id, from, by));
  }

  async #fork(session: Session, id: string, point: ForkPoint, by: Actor): Promise<Session> {
    this.#sessions.requireCapacity();
    const { row: from } = session;
    if (from.conversation === null) {
      throw new Refusal(409, "nothing-to-fork", "Nothing has been said in this session yet.");
    }
    if (isDriver(by) && from.driver !== RELAYED) {
      await this.#resolveFolder(from.runner, from.folder, this.#listAllowedFolders(from.runner));
    }
    const cut = await findCut(this.#deps.store, from.id, point);
    const end = cut?.end ?? (await session.getLastPosition());
    const at = cut?.lastMessage ? { at: cut.lastMessage } : {};
    const { takeUp: _, ...carried } = from.options;
    const options = { ...getForkOptions(by, carried), startedBy: by.role };
    const row: SessionRow = {
      ...from,
      id,
      title: `${session.view.title} (fork)`,
      named: true,
      pinned: false,
      archived: false,
      createdAt: Date.now(),
      forkOf: from.id,
      policy: getForkPolicy(by, from.policy),
      bypassUntil: null,
      // Before the first message there is no conversation to go on with: it begins anew.
      ...(cut?.lastMessage === null
        ? { conversation: null, options }
        : { options: { ...options, takeUp: { ...getTakeUp(session), ...at, fork: true } } }),
      state: "new",
      problem: null,
      run: null,
      colour: null, // the two are told apart
    };
    await this.#deps.store.commit([
      { kind: "session", row },
      ...copyLog(from.id, id, end),
      createAuditChange("forked", by, id, { from: from.id, at: cut?.lastMessage ?? null }),
    ]);
    await rebuildItems(this.#deps.store, id, { seq: 0, pos: end + 1, edition: 0 });
    const copy = new Session(this.#deps, row, createEmptySummary(), 0);
    await copy.loadIngest();
    this.#sessions.add(copy);
    copy.changed();
    await copy.tryToWake(by);
    return copy;
  }
}

function requireLink({ link }: Session): RunnerLink {
  if (!link) throw createRunnerAwayRefusal();
  return link;
}

export function requireLiveRun(session: Session): string {
  const { run, state } = session.row;
  if (run !== null && state === "running") return run;
  const detail = "The agent of this session is not running. Send a message or wake it first.";
  throw new Refusal(409, "not-running", detail);
}

function ignoreNotRunning(why: unknown): void {
  if (!(why instanceof Refusal) || why.code !== "not-running") throw why;
}

/** The last turn was good, and the last message waits for a run that could not be started. */
function isWaitingToStart({ row, prompts, summary }: Session): boolean {
  const { lastTurn = "success" } = summary;
  return row.state === "crashed" && prompts.hasWaiting && lastTurn === "success";
}

function formatRewind(at: string | undefined): string {
  const text =
    at === undefined
      ? "Tried again from the beginning: the agent no longer knows what was said before."
      : "Tried again: what came after the last good message is no longer part of the conversation.";
  return formatLogMarker("remark", { level: "info", text, rewoundTo: at ?? null });
}

function getPermissionState({ row, alive, summary }: Session): PermissionState {
  const { policy, options } = row;
  const { isolation = "default" } = options;
  return { policy, isolation, mode: alive ? summary.mode : undefined };
}

/** Where the next run was to take the conversation up anyway. */
function getTakeUp(session: Session) {
  return session.row.options.takeUp ?? {};
}
