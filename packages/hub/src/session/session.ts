import type { AgentSetting, AskView, RunFacts } from "@signalbox/api";
import type { Summary } from "@signalbox/timeline";
import type { AskRegistry } from "../asks/ask-registry.ts";
import { Refusal, type SessionSummary } from "../engine.ts";
import type { Board } from "../fan-out/board.ts";
import type { RawFeed } from "../fan-out/raw-feed.ts";
import { createItemsFrame, type Watch, type Watchable } from "../fan-out/watch.ts";
import {
  type RunnerLink,
  createRunnerAwayRefusal,
  createOlderRunnerRefusal,
} from "../link/runner-link.ts";
import { createAuditChange, type AuditActor } from "../store/audit-change.ts";
import type { Change, RunRow, SessionRow, Store } from "../store/store.ts";
import { isLimitedToAllowedFolders } from "../services/allowed-folders.ts";
import type { TrustRegistry } from "../trust/trust-registry.ts";
import { SideEffects } from "./side-effects.ts";
import {
  type ReceivedLine,
  SessionIngest,
  type IngestEvent,
  type IngestOwner,
  type StoredItem,
} from "./session-ingest.ts";
import { PromptDelivery } from "./prompt-delivery.ts";
import { formatLostRun, createStartOrder } from "./start-order.ts";
import { loadState } from "./load-state.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { SessionRecord } from "./session-record.ts";
import { SilenceDetector } from "./silence-detector.ts";
import { getEpoch } from "./stored-state.ts";
import { isAlive, createSessionSummary } from "./session-summary.ts";

/** What a session finds around itself. */
export interface SessionDeps {
  readonly store: Store;
  readonly board: Board;
  readonly asks: AskRegistry;
  readonly trust: TrustRegistry;
  findLink(runner: string): RunnerLink | undefined;
  getAgent(name: string): AgentSetting;
  getEnvironment(name: string | undefined): Readonly<Record<string, string>>;
  /** The folders of a machine below which drivers may start sessions. */
  listAllowedFolders(runner: string): readonly string[];
  /** Lines as they came, for those who want them so. */
  readonly rawFeed: RawFeed;
  /** Of an agent that dials in: whether it is connected. */
  getDialedState(session: string): SessionSummary["dialled"];
  /** Something grows: text is to be told soon. */
  scheduleLiveText(session: Session): void;
  log(text: string): void;
}

/** A person who sends or wakes gives the word to start a run; these states do not start by themselves. */
const autoStartStates = new Set(["new", "parked"]);
/** The driver of agents that dial in. */
export const RELAYED = "relay";
const idleStatuses = new Set(["idle", "background", "starting"]);
/** Who starts what a person had asked for when it could not be done. */
const HUB_ACTOR_NAME = "the hub, which had been asked to";

/** One conversation with one agent, over all its runs. */
export class Session implements IngestOwner, Watchable {
  readonly id: string;
  readonly prompts = new PromptQueue();
  readonly #deps: SessionDeps;
  readonly #record: SessionRecord;
  readonly #sideEffects: SideEffects;
  readonly #delivery: PromptDelivery;
  readonly #silence = new SilenceDetector();
  readonly #watches = new Set<Watch>();
  #summary: Summary;
  #rev: number;
  #epoch: string;
  #loading: Promise<SessionIngest> | undefined;
  #ingest: SessionIngest | undefined;
  #startRequested: boolean;
  /** …while the runner was away: so it is not about what was lost then. */
  #startRequestedWhileAway = false;
  #maySendWhileBusy = false;
  #endWaiters: (() => void)[] = [];

  constructor(around: SessionDeps, row: SessionRow, summary: Summary, rev: number, run?: RunRow) {
    const { store, asks } = around;
    const facts = run?.facts ? (JSON.parse(run.facts) as RunFacts) : undefined;
    this.id = row.id;
    this.#deps = around;
    this.#record = new SessionRecord(store, row);
    this.#sideEffects = new SideEffects(row.id, this.#record, this.prompts, asks, facts);
    this.#delivery = new PromptDelivery(store, row.id, this.prompts, {
      notifyChanged: () => this.changed(),
      log: (text) => around.log(text),
    });
    this.#summary = summary;
    this.#rev = rev;
    this.#epoch = getEpoch(store, 0);
    this.#startRequested = autoStartStates.has(row.state);
  }

  get row(): SessionRow {
    return this.#record.pending;
  }
  get rev(): number {
    return this.#rev;
  }
  get epoch(): string {
    return this.#epoch;
  }
  get summary(): Summary {
    return this.#summary;
  }
  get alive(): boolean {
    return isAlive(this.row);
  }
  get link(): RunnerLink | undefined {
    return this.#deps.findLink(this.row.runner);
  }
  get openAsks(): AskView[] {
    return this.#deps.asks.listBySession(this.id);
  }
  /** Nothing runs, is asked, queued or in the background: its process can be given back. */
  get idle(): boolean {
    const { status, tasks } = this.#summary;
    if (this.row.driver === RELAYED) return false; // whose process it is, is not ours to say
    const free = this.row.state === "running" && idleStatuses.has(status) && tasks.length === 0;
    return free && this.prompts.rows.length === 0 && this.openAsks.length === 0;
  }

  get view(): SessionSummary {
    const { runner, folder } = this.#record.committed;
    const run = this.#sideEffects.facts;
    return createSessionSummary(this.#record.committed, {
      summary: this.#summary,
      rev: this.#rev,
      prompts: this.prompts.rows,
      openAsks: this.openAsks.length,
      run,
      trust: this.#deps.trust.getSessionTrust(runner, folder, run),
      runnerOnline: this.link !== undefined,
      olderRunner: this.link?.isPreviousVersion ? this.link : undefined,
      silentSince: this.#silence.since,
      dialled: this.#deps.getDialedState(this.id),
    });
  }

  /** Stores changes of this session's, with its row as it is to be, and shows them then. */
  async write(patch: Partial<SessionRow>, changes: readonly Change[] = []): Promise<void> {
    await this.#record.write(patch, changes);
    this.changed();
  }

  changed(): void {
    this.#deps.board.sessionChanged(this.id);
  }

  /* Lines */

  /** The conversation with what it needs to go on; read from the store when it is not at hand. */
  async loadIngest(): Promise<SessionIngest> {
    if (this.#ingest) return this.#ingest;
    this.#loading ??= loadState(this.#deps.store, this.id).then((stored) => {
      this.#ingest = new SessionIngest(this.#deps.store, this.id, this, stored);
      this.#summary = stored.state.reduce.summary;
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

  /** Gives memory back when nobody needs it. */
  releaseMemory(): void {
    if (this.alive || this.#watches.size > 0 || !this.#ingest?.isIdle) return;
    this.#ingest.close();
    this.#ingest = undefined;
  }

  async receiveLines(arrivals: readonly ReceivedLine[]): Promise<boolean> {
    await (await this.loadIngest()).waitForRoom();
    const conversation = await this.loadIngest();
    if (this.#silence.recordActivity()) this.changed();
    const known = conversation.seq;
    const taken = conversation.accept(arrivals);
    this.#deps.rawFeed.addLines(this.id, arrivals, known);
    // All of them were there already: the runner has not heard of it.
    if (conversation.storedSeq === conversation.seq) this.acknowledge(conversation.seq);
    this.#deps.scheduleLiveText(this);
    return taken;
  }

  /** The last row of the log that is stored. */
  async getLastPosition(): Promise<number> {
    return (await this.#deps.store.progress(this.id))?.pos ?? 0;
  }

  /** Whether this line was taken in already. */
  hasLine(seq: number): boolean {
    return seq <= (this.#ingest?.seq ?? 0);
  }

  /** Whether the agent has fallen silent in the middle of its work. */
  checkSilence(): void {
    const working = this.alive && this.#summary.status === "active";
    if (this.#silence.check(working)) this.changed();
  }

  acknowledge(seq: number): void {
    this.link?.acknowledge(this.id, seq);
  }

  onFailed(failure: unknown): void {
    this.#deps.log(`session ${this.id}: its lines cannot be stored: ${String(failure)}`);
    this.#ingest = undefined; // the runner has them still, and sends them again
    this.#sideEffects.discard();
    this.#record.revert();
  }

  applyEvents(happened: readonly IngestEvent[]): Change[] {
    const { alive } = this;
    const changes = this.#sideEffects.applyEvents(happened);
    if (alive && !this.alive) this.#startRequested = false;
    return changes;
  }

  prepareRowChange(): Change[] {
    return this.#record.prepare();
  }

  onStored(items: readonly StoredItem[]): void {
    const conversation = this.#ingest;
    if (!conversation) return;
    this.#record.confirm();
    this.#sideEffects.onStored();
    this.#deps.rawFeed.stored(this.id, conversation.storedSeq);
    this.#summary = conversation.storedSummary;
    this.#rev = conversation.storedRev;
    this.#publish(conversation, items);
    this.changed();
    if (!this.alive) for (const waitForRunEnd of this.#endWaiters.splice(0)) waitForRunEnd();
    this.sendDuePrompts();
  }

  /** Settles when the run that lives is over and that is stored. */
  async over(): Promise<void> {
    while (this.alive) await new Promise<void>((resolve) => this.#endWaiters.push(resolve));
  }

  /* Who watches */

  #publish({ liveText: live }: SessionIngest, items: readonly StoredItem[]): void {
    const news = items.filter(({ id, growingLength: growing }) => live.mustSend(id, growing));
    if (news.length > 0) this.publishText(); // who has this revision has all text that is stored with it
    for (const { id, growingLength: growing } of items) live.markSent(id, growing);
    if (news.length === 0 || this.#watches.size === 0) return;
    const facts = { session: this.id, epoch: this.epoch, rev: this.#rev, more: false };
    const frame = createItemsFrame(
      facts,
      news.map(({ json }) => json),
    );
    for (const addWatch of this.#watches) addWatch.publish(frame);
  }

  /** Text that has grown goes to everybody who is up to date. */
  publishText(): void {
    for (const frame of this.#ingest?.liveText.takeFrames() ?? []) {
      for (const watch of this.#watches) watch.sendText(frame);
    }
  }

  getUnstoredText(): string[] {
    return this.#ingest?.liveText.getCatchUpFrames() ?? [];
  }

  watch(watch: Watch): void {
    this.#watches.add(watch);
  }
  removeWatch(watch: Watch): void {
    this.#watches.delete(watch);
  }

  /* Runs and prompts */

  /** A person wants it to go on: a run starts when there is none. */
  async wake(by: AuditActor): Promise<void> {
    this.#startRequested = true;
    this.#startRequestedWhileAway ||= !this.link;
    if (!this.alive) await this.start(by);
    else this.sendDuePrompts();
  }

  /** …and what they sent is kept: what stands in the way of a run is shown with the session. */
  async tryToWake(by: AuditActor): Promise<void> {
    await this.wake(by).catch((why: unknown) => this.#onStartImpossible(why));
  }

  /** An agent has dialled in: that is the word. `run`: its own name for this life, if it has one. */
  async startDialedIn(by: AuditActor, run?: string): Promise<void> {
    this.#startRequested = true;
    await this.start(by, run);
  }

  /** What a run needs; a refusal says what of it is not there. */
  requireRunParts() {
    const { link, row } = this;
    if (!link) throw createRunnerAwayRefusal();
    if (link.isPreviousVersion) throw createOlderRunnerRefusal(link.own);
    const agent = this.#deps.getAgent(row.agent);
    const environment = this.#deps.getEnvironment(row.options.environment ?? agent.environment);
    return { link, agent, environment };
  }

  async start(by: AuditActor, run: string = crypto.randomUUID()): Promise<void> {
    const { link, agent, environment } = this.requireRunParts();
    const conversation = await this.loadIngest();
    if (this.alive) return;
    const allowed = isLimitedToAllowedFolders(this.row)
      ? this.#deps.listAllowedFolders(this.row.runner)
      : undefined;
    const order = createStartOrder(this.row, run, conversation.seq, agent, environment, allowed);
    const { session, status, policy, launch } = order;
    const facts = { run, status, agent: agent.name, policy, folder: launch.folder };
    const at = Date.now();
    const row = { id: run, session, runner: link.runner, startedAt: at };
    await this.write({ state: "starting", problem: null, run }, [
      { kind: "run", row: { ...row, facts: null, endedAt: null, end: null } },
      createAuditChange("run-started", by, session, facts, at),
    ]);
    this.#sideEffects.resetRun();
    this.#silence.recordActivity();
    link.sendOrder(run, order).catch((why: unknown) => void this.#onStartRefused(run, why));
  }

  /** Nobody waits for this run's beginning, so the session says why there is none. */
  async #onStartImpossible(why: unknown): Promise<void> {
    const problem = why instanceof Error ? why.message : String(why);
    const isAway = why instanceof Refusal && why.code === "runner-away";
    if (!isAway) this.#deps.log(`session ${this.id}: no run was started: ${problem}`);
    if (this.alive || (isAway && autoStartStates.has(this.row.state))) return;
    // That somebody wants it to go on outlives the hub.
    const patch = isAway ? { state: "parked", problem: null } : { state: "crashed", problem };
    await this.write(patch).catch(() => {}); // while the store is in trouble, the board says so
  }

  /** What waited for something else than the agent goes on: a run, if one was asked for; messages. */
  async resumePending(): Promise<void> {
    if (!this.alive && this.prompts.hasWaiting && this.#startRequested) {
      await this.tryToWake({ name: HUB_ACTOR_NAME });
    }
    this.sendDuePrompts();
  }

  /** The runner will not start it. (A run that starts and fails says so in its lines.) */
  async #onStartRefused(run: string, why: unknown): Promise<void> {
    if (!(why instanceof Refusal) || why.code === "runner-away") return; // it is told when it comes back
    if (this.row.run !== run || this.row.state !== "starting") return;
    await this.write({ state: "crashed", problem: why.message }).catch(() => {});
    for (const over of this.#endWaiters.splice(0)) over();
  }

  /** The runner is there (again). What it was given is given again; the runs it has lost are over. */
  async reconcile(link: RunnerLink, lost: ReadonlySet<string>): Promise<void> {
    const { run, state } = this.row;
    const word = this.#startRequestedWhileAway;
    this.#startRequestedWhileAway = false;
    if (this.alive && run !== null && lost.has(run)) {
      const again = this.prompts.hasWaiting && (word || state === "starting");
      const conversation = await this.loadIngest();
      conversation.addMarker(formatLostRun(run, state, this.row.driver === RELAYED), run);
      await conversation.flush();
      if (again) await this.tryToWake({ name: HUB_ACTOR_NAME });
    } else if (this.alive && run !== null) {
      this.#delivery.resend(link, run);
    }
    await this.resumePending();
  }

  /** The end of its turn may have been lost: until there is another, messages do not wait for it. */
  allowSendingWhileBusy(): void {
    this.#maySendWhileBusy = true;
    this.sendDuePrompts();
  }

  /** Sends what is due. */
  sendDuePrompts(): void {
    const { link } = this;
    const { run, state } = this.row;
    if (!link || run === null || state !== "running") return;
    const isAtRest = idleStatuses.has(this.#summary.status);
    if (isAtRest) this.#maySendWhileBusy = false;
    this.#delivery.sendDue(link, run, isAtRest || this.#maySendWhileBusy);
  }

  /** Settles when all that was taken in is stored. */
  async flush(): Promise<void> {
    await this.#ingest?.flush();
  }

  close(): void {
    for (const watch of this.#watches) watch.end();
    this.#ingest?.close();
  }
}
