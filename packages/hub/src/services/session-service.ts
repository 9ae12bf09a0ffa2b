import { getPermissionFacts } from "../devices/audited-permissions.ts";
import type {
  ConversationBranches,
  NewSession,
  ProjectView,
  SessionChange,
  SessionOptions,
  SessionOptionsChange,
  SessionSummary,
} from "@signalbox/api";
import { formatLogMarker } from "@signalbox/protocol";
import type { RouteBody, RouteQuery } from "@signalbox/api/routes";
import type { Actor } from "../actor.ts";
import type { MakeReceipt } from "../store/make-receipt.ts";
import { HubRefusal } from "../refusal.ts";
import { requireLink, type RunEnds } from "./run-ends.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, PromptRow, SessionRow } from "../store/store.ts";
import { isAudited, saveChoice, toAgentRequest } from "./agent-requests.ts";
import { copyLog, findCut, type ForkPoint } from "./copy-log.ts";
import {
  getForkOptions,
  getForkPolicy,
  isDriver,
  checkChange,
  checkRequest,
  type PermissionState,
} from "../session/driver-limits.ts";
import type { SessionFolders } from "./session-folders.ts";
import type { SessionCreation } from "./session-creation.ts";
import type { SessionOptionChanges } from "./session-option-changes.ts";
import { SingleFlight } from "./single-flight.ts";
import type { Branches } from "./branches.ts";
import { type LastPrompt, findLastPrompt } from "./last-prompt.ts";
import { readBranches, rewindSession } from "./rewind.ts";
import { rebuildItems } from "../session/load-state.ts";
import { requireBypassPolicy, requireConfirmation, setPolicy } from "./policy.ts";
import { createPromptRow } from "./prompt-service.ts";
import { getChosenOptions, hideSecrets } from "../session/session-options.ts";
import { adoptImported } from "../session/adopt-imported.ts";
import { isTrashed, requireOutsideTrash } from "../session/trash.ts";
import { RELAY_DRIVER, Session, type SessionDeps } from "../session/session.ts";
import { createEmptySummary, type Sessions } from "../session/sessions.ts";

interface SessionServiceOptions {
  readonly deps: SessionDeps;
  readonly sessions: Sessions;
  readonly branches: Branches;
  readonly folders: SessionFolders;
  readonly creation: SessionCreation;
  readonly optionChanges: SessionOptionChanges;
  readonly runEnds: RunEnds;
  readonly onTrashed: (session: string, by: Actor) => void;
  readonly onDeleted: (session: string, by: Actor) => void;
}

/** The sessions, and what devices can do with them. Each change is stored before it is answered. */
export class SessionService {
  readonly #deps: SessionDeps;
  readonly #sessions: Sessions;
  readonly #branches: Branches;
  readonly #folders: SessionFolders;
  readonly #creation: SessionCreation;
  readonly #optionChanges: SessionOptionChanges;
  readonly #onTrashed: (session: string, by: Actor) => void;
  readonly #onDeleted: (session: string, by: Actor) => void;
  readonly #creating = new SingleFlight<Session>();
  readonly #retrying = new SingleFlight<void>();
  readonly #runEnds: RunEnds;

  constructor(options: SessionServiceOptions) {
    this.#deps = options.deps;
    this.#sessions = options.sessions;
    this.#branches = options.branches;
    this.#folders = options.folders;
    this.#creation = options.creation;
    this.#optionChanges = options.optionChanges;
    this.#runEnds = options.runEnds;
    this.#onTrashed = options.onTrashed;
    this.#onDeleted = options.onDeleted;
  }

  /** The sessions outside of the trash, or those in one folder of a machine. */
  list(place: RouteQuery<"GET /api/sessions"> = {}): SessionSummary[] {
    return this.#sessions
      .listOutsideTrash()
      .filter(({ row }) => place.runner === undefined || row.runner === place.runner)
      .filter(({ row }) => place.folder === undefined || row.folder === place.folder)
      .map(({ summary }) => summary);
  }

  listTrash(): SessionSummary[] {
    return this.#sessions
      .list()
      .filter(isTrashed)
      .toSorted((a, b) => (b.row.trashedAt ?? 0) - (a.row.trashedAt ?? 0))
      .map(({ summary }) => summary);
  }

  async emptyTrash(by: Actor): Promise<void> {
    for (const { id } of this.listTrash()) await this.delete(id, by);
  }

  get(id: string): SessionSummary {
    return this.#sessions.get(id).summary;
  }

  /** All options of a session, without the values of secrets. */
  getOptions(id: string): SessionOptions {
    const { row } = this.#sessions.get(id);
    const { folder: _, ...chosen } = getChosenOptions(row);
    const { agent, driver, policy } = row;
    return hideSecrets({ ...chosen, agent, driver, policy });
  }

  /** How many runs are alive, as far as the hub knows. */
  countAlive(): number {
    return this.#sessions.list().filter(({ alive }) => alive).length;
  }

  listProjects(): ProjectView[] {
    return this.#branches.addTo(this.#sessions.listProjects());
  }

  async create(
    id: string,
    options: NewSession,
    by: Actor,
    makeReceipt: MakeReceipt<SessionSummary> = () => [],
  ): Promise<SessionSummary> {
    const existing = await this.#startExisting(id, by);
    const session =
      existing ??
      (await this.#creating.run(id, () => this.#creation.create(id, options, by, makeReceipt)));
    return session.summary;
  }

  /** An existing session with this id. It is started if the hub stopped before it could be. */
  async #startExisting(id: string, by: Actor): Promise<Session | undefined> {
    const existing = this.#sessions.find(id);
    if (existing?.row.state === "new") await existing.tryToWake(by);
    return existing;
  }

  async change(id: string, change: SessionChange, by: Actor): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    const { policy, bypassMinutes, driver, isolation, trashed } = change;
    checkChange(by, change, getPermissionState(session));
    requireBypassPolicy(policy, bypassMinutes);
    requireConfirmation(policy, change.confirmed);
    const options = {
      ...(driver !== undefined && { driver }),
      ...(isolation !== undefined && { isolation }),
    };
    if (Object.keys(options).length > 0) await this.#optionChanges.change(session, options, by);
    if (policy !== undefined && !(isDriver(by) && policy === session.row.policy)) {
      // The permissions may have become stricter in the meantime.
      checkChange(by, change, getPermissionState(session));
      await setPolicy(session, policy, bypassMinutes, by);
    }
    const patch = toRowPatch(change);
    if (Object.keys(patch).length > 0) await session.write(patch);
    if (trashed !== undefined && trashed !== isTrashed(session)) {
      await this.#setTrashed(session, trashed, by);
    }
    return session.summary;
  }

  /** Changes what the agent is started with. A run that lives goes on as it began. */
  async changeOptions(
    id: string,
    change: SessionOptionsChange,
    by: Actor,
  ): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    await this.#optionChanges.change(session, change, by);
    return session.summary;
  }

  async #setTrashed(session: Session, trashed: boolean, by: Actor): Promise<void> {
    // Written first, so that nothing starts the session while its run is being ended.
    await session.write({ trashedAt: trashed ? this.#deps.clocks.now() : null });
    if (trashed && session.link) {
      try {
        await this.#runEnds.end(session, by, false);
      } catch (failure) {
        await session.write({ trashedAt: null });
        throw failure;
      }
    }
    const what = trashed ? "session-trashed" : "session-restored";
    await this.#deps.store.commit([createAuditChange(what, by, session.id, {})]);
    if (trashed) this.#onTrashed(session.id, by);
  }

  async delete(id: string, by: Actor): Promise<void> {
    const session = this.#sessions.get(id);
    // If the runner is away, the run ends when the runner reconnects and reports it.
    if (session.link) await this.#runEnds.end(session, by, false);
    // The audit entry leaves out the title: it may quote the first message, and audit entries are never
    // deleted.
    const entry = createAuditChange("session-deleted", by, id, {});
    const forgotten = this.#deps.transcripts.forgetSession(id);
    const changes: Change[] = [{ kind: "session-deleted", id }, entry, ...forgotten];
    await this.#deps.store.commit(changes, session.getFence());
    for (const change of forgotten) {
      if (change.kind === "transcript") this.#deps.transcripts.put(change.row);
    }
    session.close();
    this.#sessions.remove(id);
    this.#deps.asks.removeSession(id);
    session.notifyChanged();
    this.#onDeleted(id, by);
  }

  async interrupt(id: string, by: Actor): Promise<void> {
    await this.request(id, "interrupt", {}, by);
  }

  /**
   * Sends a control request, such as `set_model`, to the agent. Refuses requests that the hub does not pass
   * on.
   */
  async request(id: string, subtype: string, fields: object, by: Actor): Promise<unknown> {
    const session = this.#sessions.get(id);
    const request = toAgentRequest(subtype, { ...fields });
    checkRequest(by, subtype, { ...fields }, getPermissionState(session).mode);
    const order = {
      kind: "request",
      session: session.id,
      run: requireLiveRun(session),
      ...request,
    } as const;
    const answer = await requireLink(session).sendOrder(crypto.randomUUID(), order);
    await saveChoice(session, subtype, { ...fields });
    if (isAudited(subtype)) {
      const facts = { request: subtype, ...fields };
      await this.#deps.store.commit([createAuditChange("agent-told", by, session.id, facts)]);
    }
    return answer;
  }

  async stop(id: string, by: Actor): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    await this.#runEnds.end(session, by, false);
    return session.summary;
  }

  /** Ends the run of an idle session. The next message starts another run. */
  async park(id: string, by: { readonly name: string }): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    await this.#runEnds.end(session, by, true);
    return session.summary;
  }

  async wake(id: string, by: Actor): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    session.requireIdleElsewhere();
    await adoptImported(session, by);
    await session.wake(by);
    return session.summary;
  }

  /**
   * Sends the last message again after the last good message before it; everything in between is cut off.
   * `fresh` starts a new conversation instead.
   */
  async retry(
    id: string,
    by: Actor,
    { fresh = false }: { fresh?: boolean },
  ): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    await this.#retrying.run(id, () => this.#retry(session, by, fresh));
    return session.summary;
  }

  async #retry(session: Session, by: Actor, fresh: boolean): Promise<void> {
    requireOutsideTrash(session.row);
    await session.loadIngest();
    if (!fresh && isWaitingToStart(session)) return session.wake(by);
    const last = await findLastPrompt(
      this.#deps.store,
      session.id,
      session.prompts.rows.length > 0,
    );
    if (last === "rewound") return session.wake(by); // the message is being sent already
    if (!last) {
      throw new HubRefusal(409, "nothing-to-retry", "This session has no messages yet.");
    }
    session.requireRunParts(); // refuses before anything is changed
    await this.#runEnds.end(session, by, false);
    const { takeUp = {}, ...options } = session.row.options;
    const at = fresh ? undefined : last.resumePoint;
    const ingest = await session.loadIngest();
    ingest.addMarker(formatRewind(at), null);
    await ingest.flush(); // stored before the answer, because a second retry reads it
    await session.write(
      at === undefined
        ? { conversation: null, options } // there is no good message before it
        : { options: { ...options, takeUp: { ...takeUp, at } } },
    );
    const entry = createAuditChange("retried", by, session.id, { fresh, at });
    // A message that never arrived is still in the queue and needs no copy.
    const again = session.prompts.get(last.id)
      ? undefined
      : this.#createRepeatedPrompt(session, last);
    const anew = await this.#renumberUnansweredPrompts(session);
    const renamed = anew.flatMap(({ before, row }): Change[] => [
      { kind: "prompt-gone", id: before },
      { kind: "prompt", row },
    ]);
    const changes = [...(again?.changes ?? []), ...renamed, entry];
    await this.#deps.store.commit(changes, session.getFence());
    if (again) session.prompts.put(again.row);
    for (const { before, row } of anew) {
      session.prompts.remove(before);
      session.prompts.put(row);
    }
    session.notifyChanged();
    await session.wake(by);
  }

  /** Gives new ids to messages that the agent was given and did not answer, so that they are sent again later. */
  async #renumberUnansweredPrompts(
    session: Session,
  ): Promise<{ before: string; row: PromptRow }[]> {
    const anew = [];
    for (const row of session.prompts.rows) {
      if (!(await this.#deps.store.item(session.id, row.id))) continue;
      const renamed = session.sealPrompt({ ...row, id: crypto.randomUUID() });
      anew.push({ before: row.id, row: renamed });
    }
    return anew;
  }

  /** The repeated message, placed before all that wait. */
  #createRepeatedPrompt(session: Session, { prompt }: LastPrompt) {
    const place = (session.prompts.rows[0]?.place ?? 1) - 1;
    return createPromptRow(session, crypto.randomUUID(), prompt, place);
  }

  /** The branches of a session's conversation. */
  async listBranches(id: string): Promise<ConversationBranches> {
    const session = this.#sessions.get(id);
    await session.loadIngest();
    return readBranches(this.#deps.store, session.id);
  }

  /** Lets a session continue after an earlier message, or in a branch that was left. */
  async rewind(
    id: string,
    target: RouteBody<"POST /api/sessions/:session/rewind">,
    by: Actor,
  ): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    const endRun = () => this.#runEnds.end(session, by, true);
    await this.#retrying.run(id, () =>
      rewindSession(this.#deps.store, session, target, by, endRun),
    );
    return session.summary;
  }

  /** Copies a session with everything up to a message. From then on the two sessions are independent. */
  async fork(id: string, newId: string, point: ForkPoint, by: Actor): Promise<SessionSummary> {
    const session = this.#sessions.get(id);
    const existing = await this.#startExisting(newId, by);
    const copy =
      existing ?? (await this.#creating.run(newId, () => this.#fork(session, newId, point, by)));
    return copy.summary;
  }

  async #fork(session: Session, newId: string, point: ForkPoint, by: Actor): Promise<Session> {
    this.#sessions.requireCapacity();
    const { row: from } = session;
    if (from.conversation === null) {
      throw new HubRefusal(409, "nothing-to-fork", "This session has no messages yet.");
    }
    if (isDriver(by) && from.driver !== RELAY_DRIVER) {
      await this.#folders.resolve(from.runner, from.folder, this.#folders.listAllowed(from.runner));
    }
    const cut = await findCut(this.#deps.store, from.id, point);
    const end = cut?.end ?? (await session.getLastPosition());
    const at = cut?.lastMessage ? { at: cut.lastMessage } : {};
    const { takeUp: _, changedInRun: _c, ...carried } = from.options;
    const options = { ...getForkOptions(by, carried), startedBy: by.role };
    const row: SessionRow = {
      ...from,
      id: newId,
      title: `${session.summary.title} (fork)`,
      named: true,
      pinned: false,
      archived: false,
      snoozedUntil: null,
      trashedAt: null,
      createdAt: this.#deps.clocks.now(),
      forkOf: from.id,
      policy: getForkPolicy(by, from.policy),
      bypassUntil: null,
      // Before the first message there is no conversation to resume, so the agent starts a new one.
      ...(cut?.lastMessage === null
        ? { conversation: null, options }
        : { options: { ...options, takeUp: { ...getTakeUp(session), ...at, fork: true } } }),
      state: "new",
      problem: null,
      run: null,
      colour: null, // a color of its own, so that the two can be told apart
    };
    const facts = { from: from.id, at: cut?.lastMessage ?? null, ...getPermissionFacts(row) };
    const changes: Change[] = [
      { kind: "session", row },
      ...copyLog(from.id, newId, end),
      createAuditChange("forked", by, newId, facts),
    ];
    const getFence = () => session.getFence();
    await this.#deps.store.commit(changes, getFence());
    const known = { seq: 0, pos: end + 1, edition: 0 };
    await rebuildItems(this.#deps.store, newId, getFence, known);
    const copy = new Session(this.#deps, row, createEmptySummary(), 0);
    await copy.loadIngest();
    this.#sessions.add(copy);
    copy.notifyChanged();
    await copy.tryToWake(by);
    return copy;
  }
}

/** The fields of the row that a change sets without any further effect. */
function toRowPatch(change: SessionChange): Partial<SessionRow> {
  const { title, pinned, archived, labels, snoozedUntil, colour } = change;
  return {
    ...(title !== undefined && { title, named: true }),
    ...(pinned !== undefined && { pinned }),
    ...(archived !== undefined && { archived }),
    ...(labels !== undefined && { labels: [...new Set(labels)] }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
    ...(colour !== undefined && { colour }),
  };
}

function requireLiveRun(session: Session): string {
  const { run, state } = session.row;
  if (run !== null && state === "running") return run;
  const detail = "The agent of this session is not running. Send a message or wake it first.";
  throw new HubRefusal(409, "not-running", detail);
}

/** Whether the last turn ended well and the last message waits only because a run could not be started. */
function isWaitingToStart({ row, prompts, timelineSummary }: Session): boolean {
  const { lastTurn = "success" } = timelineSummary;
  return row.state === "crashed" && prompts.hasWaiting && lastTurn === "success";
}

function formatRewind(at: string | undefined): string {
  const text =
    at === undefined
      ? "Retried from the beginning, because the agent no longer knows the earlier conversation."
      : "Retried. Everything after the last good message is no longer part of the conversation.";
  return formatLogMarker("remark", { level: "info", text, rewoundTo: at ?? null });
}

function getPermissionState({ row, alive, timelineSummary }: Session): PermissionState {
  const { policy, options } = row;
  const { isolation = "default" } = options;
  return { policy, isolation, mode: alive ? timelineSummary.mode : undefined };
}

/** The point at which the next run would resume the conversation in any case. */
function getTakeUp(session: Session) {
  return session.row.options.takeUp ?? {};
}
