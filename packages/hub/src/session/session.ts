import { errorMessage } from "@signalbox/protocol/text";
import type {
  AgentSetting,
  AskView,
  RunFacts,
  SessionDefaults,
  SessionSummary,
  SessionTranscript,
} from "@signalbox/api";
import type { Summary } from "@signalbox/timeline";
import type { AskRegistry } from "../asks/ask-registry.ts";
import type { Clocks } from "../clocks.ts";
import type { PromptSeals } from "../devices/prompt-seals.ts";
import { HubRefusal } from "../refusal.ts";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { WatchableSession } from "../fan-out/live-client.ts";
import type { RawFeed } from "../fan-out/raw-feed.ts";
import { omitSentText } from "../fan-out/omit-sent-text.ts";
import {
  createItemsFrame,
  type ItemsUpdate,
  type SessionSubscription,
} from "../fan-out/session-subscription.ts";
import type { TextPiece } from "../fan-out/text-piece.ts";
import type { LiveText } from "./live-text.ts";
import {
  type RunnerLink,
  createRunnerAwayRefusal,
  createOlderRunnerRefusal,
} from "../link/runner-link.ts";
import { createAuditChange, type AuditActor } from "../store/audit-change.ts";
import {
  type Change,
  type Fence,
  type PromptRow,
  type RunRow,
  type SessionRow,
  type Store,
  StoreError,
} from "../store/store.ts";
import { isLimitedToAllowedFolders } from "./driver-limits.ts";
import type { StoredOrders } from "./stored-orders.ts";
import type { TranscriptRegistry } from "./transcript-registry.ts";
import type { TrustRegistry } from "../trust/trust-registry.ts";
import { SideEffects } from "./side-effects.ts";
import type { ReceivedLine } from "../link/received-line.ts";
import {
  SessionIngest,
  type IngestEvent,
  type IngestOwner,
  type LineRecorder,
  type StoredItem,
} from "./session-ingest.ts";
import {
  failStart,
  followRow,
  type Lifecycle,
  loseTurnEnd,
  mustReplaceLostRun,
  mustStart,
  observeIdle,
  observeRunner,
  requestStart,
  restoreLifecycle,
  startRun,
  startsByItself,
} from "./lifecycle.ts";
import type { LiveTextScheduler } from "./live-text-scheduler.ts";
import type { SessionsObserver } from "./ingest-observer.ts";
import { PromptDelivery } from "./prompt-delivery.ts";
import { formatLostRun, createStartOrder } from "./start-order.ts";
import { loadState } from "./load-state.ts";
import { readVariables } from "./session-options.ts";
import { SessionPromptQueue } from "./prompt-queue.ts";
import { SessionRecord } from "./session-record.ts";
import { SilenceDetector } from "./silence-detector.ts";
import { requireOutsideTrash } from "./trash.ts";
import { getEpoch } from "./stored-state.ts";
import { createSessionSummary, isAlive } from "./session-summary.ts";

/** What a session needs from the hub. */
export interface SessionDeps {
  readonly store: Store;
  readonly changes: BoardListener;
  readonly asks: AskRegistry;
  readonly storedOrders: StoredOrders;
  readonly trust: TrustRegistry;
  readonly transcripts: TranscriptRegistry;
  readonly rawFeed: RawFeed;
  readonly recorder: LineRecorder | undefined;
  readonly liveTexts: LiveTextScheduler;
  readonly clocks: Clocks;
  /** The link of a runner, if it is connected. */
  findLink(runner: string): RunnerLink | undefined;
  /** What proves that this hub has claimed a runner, if it has; also while the runner is away. */
  getFence(runner: string): Fence | undefined;
  getAgent(name: string): AgentSetting;
  getEnvironment(name: string | undefined): Readonly<Record<string, string>>;
  getSessionDefaults(): SessionDefaults;
  /** The folders on a machine below which drivers may start sessions. */
  listAllowedFolders(runner: string): readonly string[];
  /** Proves later that this hub has accepted a message; undefined: stored messages need no proof. */
  readonly promptSeals: Pick<PromptSeals, "seal" | "load"> | undefined;
  /** Whether an agent that dials in is connected. */
  getDialState(row: SessionRow): SessionSummary["dialled"];
  /** Watches what sessions take in and store, if somebody traces it. */
  readonly observer?: SessionsObserver | undefined;
  log(text: string): void;
}

/** The driver's name of agents that dial in. */
export const RELAY_DRIVER = "relay";
/** The statuses in which an agent waits for a message. */
const idleStatuses: ReadonlySet<Summary["status"]> = new Set(["idle", "background", "starting"]);
/** The actor in the audit log when the hub carries out a start that somebody requested earlier. */
const DEFERRED_START: AuditActor = { name: "the hub, which had been asked to" };

/** One conversation with one agent, over all its runs. */
export class Session implements IngestOwner, WatchableSession {
  readonly id: string;
  readonly prompts = new SessionPromptQueue();
  readonly #deps: SessionDeps;
  readonly #record: SessionRecord;
  readonly #sideEffects: SideEffects;
  readonly #delivery: PromptDelivery;
  readonly #silence: SilenceDetector;
  readonly #subscriptions = new Set<SessionSubscription>();
  #timelineSummary: Summary;
  #rev: number;
  #epoch: string;
  #loading: Promise<SessionIngest> | undefined;
  #ingest: SessionIngest | undefined;
  #lifecycle: Lifecycle;
  #endWaiters: (() => void)[] = [];

  constructor(
    deps: SessionDeps,
    row: SessionRow,
    timelineSummary: Summary,
    rev: number,
    run?: RunRow,
  ) {
    const { store, asks } = deps;
    const runFacts = run?.facts ? (JSON.parse(run.facts) as RunFacts) : undefined;
    this.id = row.id;
    this.#deps = deps;
    this.#record = new SessionRecord(store, row, () => this.getFence());
    this.#sideEffects = new SideEffects({
      session: row.id,
      record: this.#record,
      prompts: this.prompts,
      asks,
      runFacts,
      transcripts: deps.transcripts,
      getAskLimit: () => deps.getSessionDefaults().askLimit,
    });
    this.#delivery = new PromptDelivery(store, row.id, this.prompts, {
      notifyChanged: () => this.notifyChanged(),
      log: (text) => deps.log(text),
      getFence: () => this.getFence(),
    });
    this.#silence = new SilenceDetector(deps.clocks);
    this.#timelineSummary = timelineSummary;
    this.#rev = rev;
    this.#epoch = getEpoch(store, 0);
    this.#lifecycle = restoreLifecycle(row);
  }

  get row(): SessionRow {
    return this.#record.pending;
  }
  get clocks(): Clocks {
    return this.#deps.clocks;
  }
  get storedOrders(): StoredOrders {
    return this.#deps.storedOrders;
  }
  /** Adds the seal to a message, which proves later that this hub has accepted the message. */
  sealPrompt(row: Omit<PromptRow, "seal">): PromptRow {
    return { ...row, seal: this.#deps.promptSeals?.seal(row) ?? null };
  }
  get rev(): number {
    return this.#rev;
  }
  get epoch(): string {
    return this.#epoch;
  }
  /** What the conversation's stored items say about the session. */
  get timelineSummary(): Summary {
    return this.#timelineSummary;
  }
  get alive(): boolean {
    return isAlive(this.row);
  }
  get link(): RunnerLink | undefined {
    return this.#deps.findLink(this.row.runner);
  }
  /** What Claude Code's own file of the conversation means for the session; undefined: nothing. */
  get transcript(): SessionTranscript | undefined {
    return this.#deps.transcripts.describe(this);
  }
  /** Whether a client is looking at it. */
  get isWatched(): boolean {
    return this.#subscriptions.size > 0;
  }
  get openAsks(): AskView[] {
    return this.#deps.asks.listBySession(this.id);
  }
  /**
   * Whether nothing runs, waits for an answer, is queued or works in the background, so that the process may
   * be ended.
   */
  get idle(): boolean {
    const { status, tasks, shown } = this.#timelineSummary;
    if (shown?.state === "asking") return false; // in the agent's own terminal
    if (this.row.driver === RELAY_DRIVER) return false; // the hub did not start that process and cannot start it again
    const free = this.row.state === "running" && idleStatuses.has(status) && tasks.length === 0;
    return free && this.prompts.rows.length === 0 && this.openAsks.length === 0;
  }

  /** Whether no turn, request, message or background work would be cut off if the run ended now. */
  get canSwitch(): boolean {
    const { status, tasks, shown } = this.#timelineSummary;
    if (this.row.state !== "running" || shown?.state === "asking") return false;
    const isFree = idleStatuses.has(status) && tasks.length === 0 && this.openAsks.length === 0;
    return isFree && this.prompts.sentTo(this.row.run).length === 0;
  }

  /** The session as clients see it, which is as it is stored. */
  get summary(): SessionSummary {
    const { runner, folder } = this.#record.committed;
    const run = this.#sideEffects.runFacts;
    return createSessionSummary(this.#record.committed, {
      summary: this.#timelineSummary,
      rev: this.#rev,
      prompts: this.prompts.rows,
      openAsks: this.openAsks.length,
      run,
      trust: this.#deps.trust.getSessionTrust(runner, folder, run),
      runnerOnline: this.link !== undefined,
      olderRunner: this.link?.isPreviousVersion ? this.link : undefined,
      silentSince: this.#silence.since,
      dialled: this.#deps.getDialState(this.#record.committed),
      transcript: this.transcript,
      writtenAt: this.#deps.transcripts.findBySession(this)?.writtenAt,
    });
  }

  /** Stores changes of this session together with its row, and publishes them afterwards. */
  async write(patch: Partial<SessionRow>, changes: readonly Change[] = []): Promise<void> {
    await this.#record.write(patch, changes);
    this.notifyChanged();
  }

  notifyChanged(): void {
    this.#deps.changes.sessionChanged(this.id);
  }

  /** The session's ingest, which is read from the store if it is not in memory. */
  async loadIngest(): Promise<SessionIngest> {
    if (this.#ingest) return this.#ingest;
    const { store } = this.#deps;
    const getFence = () => this.getFence();
    this.#loading ??= loadState(store, this.id, getFence).then((stored) => {
      this.#ingest = new SessionIngest(
        store,
        this.id,
        this,
        stored,
        this.#deps.recorder,
        this.#deps.observer?.observe(this.id),
      );
      this.#timelineSummary = stored.state.reduce.summary;
      this.#rev = stored.state.reduce.rev;
      this.#epoch = this.#ingest.epoch;
      return this.#ingest;
    });
    try {
      return await this.#loading;
    } finally {
      this.#loading = undefined;
    }
  }

  /** Releases the ingest's memory if nothing needs it. */
  releaseMemory(): void {
    if (this.alive || this.#subscriptions.size > 0 || !this.#ingest?.isIdle) return;
    this.#ingest.close();
    this.#ingest = undefined;
  }

  async receiveLines(lines: readonly ReceivedLine[]): Promise<boolean> {
    await (await this.loadIngest()).waitForRoom();
    const ingest = await this.loadIngest();
    if (this.#silence.recordActivity()) this.notifyChanged();
    const known = ingest.seq;
    const areComplete = ingest.accept(lines);
    this.#deps.rawFeed.addLines(this.id, lines, known);
    // If all of these lines were stored already, no transaction acknowledges them to the runner.
    if (ingest.storedSeq === ingest.seq) this.acknowledgeLines(ingest.seq);
    this.#deps.liveTexts.schedule(this);
    return areComplete;
  }

  /** Adds lines that no run of this hub has printed, and stores them together with further changes. */
  async addTranscriptLines(
    lines: readonly ReceivedLine[],
    changes: readonly Change[],
  ): Promise<void> {
    const ingest = await this.loadIngest();
    ingest.accept(lines, changes);
    await ingest.flush();
    if (ingest.isClosed) throw new Error("The lines could not be stored.");
  }

  /** Refuses while another process writes the conversation. */
  requireIdleElsewhere(): void {
    this.#deps.transcripts.requireIdleElsewhere(this);
  }

  /** The position of the last stored row of the log. */
  async getLastPosition(): Promise<number> {
    return (await this.#deps.store.head(this.id))?.pos ?? 0;
  }

  /** Whether this line was accepted already. */
  hasLine(seq: number): boolean {
    return seq <= (this.#ingest?.seq ?? 0);
  }

  /** Checks whether the agent has fallen silent in the middle of its work. */
  checkSilence(): void {
    const working = this.alive && this.#timelineSummary.status === "active";
    if (this.#silence.check(working)) this.notifyChanged();
  }

  acknowledgeLines(seq: number): void {
    this.link?.acknowledge(this.id, seq);
  }

  getFence(): Fence | undefined {
    return this.#deps.getFence(this.row.runner);
  }

  onFailed(failure: unknown): void {
    this.#deps.log(`session ${this.id}: its lines cannot be stored: ${String(failure)}`);
    this.#ingest = undefined; // the runner still has the lines and sends them again
    this.#sideEffects.discard();
    this.#record.revert();
    this.#lifecycle = followRow(this.#lifecycle, this.row);
    if (failure instanceof StoreError && failure.why === "moved") {
      this.link?.close(1012, "another hub serves this runner");
    }
  }

  applyEvents(events: readonly IngestEvent[]): Change[] {
    const changes = this.#sideEffects.applyEvents(events);
    this.#lifecycle = followRow(this.#lifecycle, this.row);
    return changes;
  }

  prepareRowChange(): Change[] {
    return this.#record.prepare();
  }

  onStored(items: readonly StoredItem[]): void {
    const ingest = this.#ingest;
    if (!ingest) return;
    this.#record.confirm();
    this.#sideEffects.onStored();
    this.#deps.rawFeed.markStored(this.id, ingest.storedSeq);
    this.#timelineSummary = ingest.storedSummary;
    this.#rev = ingest.storedRev;
    this.#publish(ingest, items);
    this.notifyChanged();
    if (!this.alive) this.#settleEndWaiters();
    this.sendDuePrompts();
  }

  /** Settles when the live run has ended and its end is stored. */
  async waitForRunEnd(): Promise<void> {
    while (this.alive) await new Promise<void>((resolve) => this.#endWaiters.push(resolve));
  }

  #publish({ liveText }: SessionIngest, items: readonly StoredItem[]): void {
    const unsent = items.filter(({ id, growingLength: growing }) => liveText.mustSend(id, growing));
    if (unsent.length > 0) this.publishText(); // a client with this revision has all text that was stored with it
    const update = this.#createUpdate(unsent, liveText);
    for (const { id, growingLength: growing } of items) liveText.markSent(id, growing);
    if (unsent.length === 0) return;
    for (const subscription of this.#subscriptions) subscription.publish(update);
  }

  #createUpdate(items: readonly StoredItem[], liveText: LiveText): ItemsUpdate {
    const facts = { session: this.id, epoch: this.epoch, rev: this.#rev, more: false };
    const jsons = items.map(({ json }) => json);
    const frame = createItemsFrame(facts, jsons);
    const continued: Record<string, number> = {};
    const added = items.map(({ id, json }) => {
      const sent = liveText.getSentText(id);
      const rest = sent === undefined ? undefined : omitSentText(json, sent);
      if (sent === undefined || rest === undefined) return json;
      continued[id] = sent.length;
      return rest;
    });
    const isSame = Object.keys(continued).length === 0;
    return { frame, shortFrame: isSame ? frame : createItemsFrame({ ...facts, continued }, added) };
  }

  /** Sends text that has grown to every client that is up to date. */
  publishText(): void {
    for (const piece of this.#ingest?.liveText.takePieces() ?? []) {
      for (const subscription of this.#subscriptions) subscription.sendText(piece);
    }
  }

  getUnstoredText(): TextPiece[] {
    return this.#ingest?.liveText.getCatchUpPieces() ?? [];
  }

  addSubscription(subscription: SessionSubscription): void {
    this.#subscriptions.add(subscription);
  }
  removeSubscription(subscription: SessionSubscription): void {
    this.#subscriptions.delete(subscription);
  }

  /** Continues the session on somebody's request: starts a run if there is none. */
  async wake(by: AuditActor): Promise<void> {
    this.#lifecycle = requestStart(this.#lifecycle, this.link !== undefined);
    if (!this.alive) await this.#start(by);
    else this.sendDuePrompts();
  }

  /**
   * Wakes the session. A failure is shown in the session rather than thrown, because the caller's message is
   * already stored.
   */
  async tryToWake(by: AuditActor): Promise<void> {
    await this.wake(by).catch((why: unknown) => this.#reportFailedStart(why));
  }

  /**
   * Starts a run for an agent that has dialed in. `run` is the agent's own name for this life, if it has one.
   */
  startDialedIn(by: AuditActor, run?: string): Promise<void> {
    this.#lifecycle = requestStart(this.#lifecycle, true);
    return this.#start(by, run);
  }

  /** What a run needs to start. Refuses if a part is missing, and says which. */
  requireRunParts() {
    requireOutsideTrash(this.row);
    const { link, row } = this;
    if (!link) throw createRunnerAwayRefusal();
    if (link.isPreviousVersion) throw createOlderRunnerRefusal(link.own);
    const agent = this.#deps.getAgent(row.agent);
    const { environment: profile = agent.environment, variables } = row.options;
    const environment = { ...this.#deps.getEnvironment(profile), ...readVariables(variables) };
    return { link, agent, environment };
  }

  async #start(by: AuditActor, run: string = crypto.randomUUID()): Promise<void> {
    const { link, agent, environment } = this.requireRunParts();
    await this.#deps.transcripts.prepareRun(this.id);
    const ingest = await this.loadIngest();
    if (this.alive) return;
    const allowed = isLimitedToAllowedFolders(this.row)
      ? this.#deps.listAllowedFolders(this.row.runner)
      : undefined;
    const variables = { ...environment, ...this.#deps.observer?.runEnvironment(run) };
    const order = createStartOrder(this.row, run, ingest.seq, agent, variables, allowed);
    const { session, status, policy, launch } = order;
    const facts = { run, status, agent: agent.name, policy, folder: launch.folder };
    const at = this.#deps.clocks.now();
    const row = { id: run, session, runner: link.runner, startedAt: at };
    this.#lifecycle = startRun(run);
    try {
      await this.write({ state: "starting", problem: null, run }, [
        { kind: "run", row: { ...row, facts: null, endedAt: null, end: null } },
        createAuditChange("run-started", by, session, facts, at),
      ]);
    } catch (failure) {
      this.#lifecycle = failStart();
      throw failure;
    }
    this.#sideEffects.resetRun();
    this.#silence.recordActivity();
    link.sendOrder(run, order).catch((why: unknown) => void this.#onStartRefused(run, why));
  }

  /** Shows in the session why no run can start, because nobody waits for the start of this one. */
  async #reportFailedStart(why: unknown): Promise<void> {
    const problem = errorMessage(why);
    const isAway = why instanceof HubRefusal && why.code === "runner-away";
    if (!isAway) this.#deps.log(`session ${this.id}: no run was started: ${problem}`);
    if (this.alive || (isAway && startsByItself(this.row))) return;
    // The stored state remembers the requested start even if the hub restarts.
    const patch = isAway ? { state: "parked", problem: null } : { state: "crashed", problem };
    await this.write(patch).catch(() => {}); // while the store cannot be written, the board shows that
  }

  /** Starts a run if one is requested and sends messages that are due, once whatever prevented it is over. */
  async resumePending(): Promise<void> {
    if (mustStart(this.#lifecycle) && this.prompts.hasWaiting) await this.tryToWake(DEFERRED_START);
    this.sendDuePrompts();
  }

  /** The runner refused to start the run. (A run that starts and then fails says so in its lines.) */
  async #onStartRefused(run: string, why: unknown): Promise<void> {
    // The order is sent again when the runner reconnects.
    if (!(why instanceof HubRefusal) || why.code === "runner-away") return;
    if (this.row.run !== run || this.row.state !== "starting") return;
    this.#lifecycle = failStart();
    await this.write({ state: "crashed", problem: why.message }).catch(
      // The runner does not report the end of a run that it refused.
      () => (this.#lifecycle = followRow(this.#lifecycle, this.row)),
    );
    this.#settleEndWaiters();
  }

  #settleEndWaiters(): void {
    for (const settle of this.#endWaiters.splice(0)) settle();
  }

  /** The runner has connected: messages are sent again, and the runs that it has lost are ended. */
  async reconcile(link: RunnerLink, lost: ReadonlySet<string>): Promise<void> {
    const { run, state } = this.row;
    const mustReplace = mustReplaceLostRun(this.#lifecycle);
    this.#lifecycle = observeRunner(this.#lifecycle);
    if (this.alive && run !== null && lost.has(run)) {
      const mustRestart = mustReplace && this.prompts.hasWaiting;
      const ingest = await this.loadIngest();
      ingest.addMarker(formatLostRun(run, state, this.row.driver === RELAY_DRIVER), run);
      await ingest.flush();
      if (mustRestart) await this.tryToWake(DEFERRED_START);
    } else if (this.alive && run !== null) {
      this.#delivery.resend(link, run);
    }
    await this.resumePending();
  }

  /**
   * Some lines may be lost, perhaps the end of the agent's turn. Until the next turn ends, messages do not
   * wait for it.
   */
  allowSendingWhileBusy(): void {
    this.#lifecycle = loseTurnEnd(this.#lifecycle);
    this.sendDuePrompts();
  }

  /** Sends the messages that are due to the agent. */
  sendDuePrompts(): void {
    const { link } = this;
    const lifecycle = this.#lifecycle;
    if (!link || lifecycle.kind !== "running") return;
    if (this.row.options.switchTo) return; // the next run gets them
    const isIdle = idleStatuses.has(this.#timelineSummary.status);
    if (isIdle) this.#lifecycle = observeIdle(lifecycle);
    this.#delivery.sendDue(link, lifecycle.run, isIdle || lifecycle.isTurnEndUncertain);
  }

  /** Settles when everything that was accepted is stored. */
  async flush(): Promise<void> {
    await this.#ingest?.flush();
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.end();
    this.#ingest?.close();
  }
}
