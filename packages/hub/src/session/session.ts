import type { AgentSetting, AskView, RunFacts } from "@signalbox/api";
import type { Summary } from "@signalbox/timeline";
import type { AskBook } from "../asks/ask-book.ts";
import { Refusal, type SessionSummary } from "../engine.ts";
import type { Board } from "../fan-out/board.ts";
import type { RawFeed } from "../fan-out/raw-feed.ts";
import { itemsFrame, type Watch, type Watchable } from "../fan-out/watch.ts";
import { type RunnerLink, runnerAway, runnerOlder } from "../link/runner-link.ts";
import { audit, type By } from "../log/audit-change.ts";
import type { Change, RunRow, SessionRow, Store } from "../log/store.ts";
import { isLimited } from "./allowed-folders.ts";
import type { TrustBook } from "../trust/trust-book.ts";
import { Consequences } from "./consequences.ts";
import {
  type Arrival,
  Conversation,
  type Happening,
  type Keeper,
  type StoredItem,
} from "./conversation.ts";
import { Delivery } from "./delivery.ts";
import { lostRun, startOrder } from "./launch.ts";
import { loadStored } from "./load.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { SessionRecord } from "./record.ts";
import { Silence } from "./silence.ts";
import { epochOf } from "./stored.ts";
import { isAlive, sessionViewOf } from "./view.ts";

/** What a session finds around itself. */
export interface Surroundings {
  readonly store: Store;
  readonly board: Board;
  readonly asks: AskBook;
  readonly trust: TrustBook;
  link(runner: string): RunnerLink | undefined;
  agent(name: string): AgentSetting;
  environment(name: string | undefined): Readonly<Record<string, string>>;
  /** The folders of a machine below which drivers may start sessions. */
  allowedFolders(runner: string): readonly string[];
  /** Lines as they came, for those who want them so. */
  readonly raw: RawFeed;
  /** Of an agent that dials in: whether it is connected. */
  dialled(session: string): SessionSummary["dialled"];
  /** Something grows: text is to be told soon. */
  livens(session: Session): void;
  log(text: string): void;
}

/** A person who sends or wakes gives the word to start a run; these states do not start by themselves. */
const restless = new Set(["new", "parked"]);
/** The driver of agents that dial in. */
export const RELAYED = "relay";
const atRest = new Set(["idle", "background", "starting"]);
/** Who starts what a person had asked for when it could not be done. */
const HUB = "the hub, which had been asked to";

/** One conversation with one agent, over all its runs. */
export class Session implements Keeper, Watchable {
  readonly id: string;
  readonly prompts = new PromptQueue();
  readonly #around: Surroundings;
  readonly #record: SessionRecord;
  readonly #consequences: Consequences;
  readonly #delivery: Delivery;
  readonly #silence = new Silence();
  readonly #watches = new Set<Watch>();
  #summary: Summary;
  #rev: number;
  #epoch: string;
  #loading: Promise<Conversation> | undefined;
  #conversation: Conversation | undefined;
  #wordGiven: boolean;
  /** …while the runner was away: so it is not about what was lost then. */
  #wordWhileAway = false;
  #unsure = false;
  #whenOver: (() => void)[] = [];

  constructor(around: Surroundings, row: SessionRow, summary: Summary, rev: number, run?: RunRow) {
    const { store, asks } = around;
    const facts = run?.facts ? (JSON.parse(run.facts) as RunFacts) : undefined;
    this.id = row.id;
    this.#around = around;
    this.#record = new SessionRecord(store, row);
    this.#consequences = new Consequences(row.id, this.#record, this.prompts, asks, facts);
    this.#delivery = new Delivery(store, row.id, this.prompts, {
      changed: () => this.changed(),
      log: (text) => around.log(text),
    });
    this.#summary = summary;
    this.#rev = rev;
    this.#epoch = epochOf(store, 0);
    this.#wordGiven = restless.has(row.state);
  }

  get row(): SessionRow {
    return this.#record.next;
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
    return this.#around.link(this.row.runner);
  }
  get openAsks(): AskView[] {
    return this.#around.asks.ofSession(this.id);
  }
  /** Nothing runs, is asked, queued or in the background: its process can be given back. */
  get idle(): boolean {
    const { status, tasks } = this.#summary;
    if (this.row.driver === RELAYED) return false; // whose process it is, is not ours to say
    const free = this.row.state === "running" && atRest.has(status) && tasks.length === 0;
    return free && this.prompts.rows.length === 0 && this.openAsks.length === 0;
  }

  get view(): SessionSummary {
    const { runner, folder } = this.#record.shown;
    const run = this.#consequences.facts;
    return sessionViewOf(this.#record.shown, {
      summary: this.#summary,
      rev: this.#rev,
      prompts: this.prompts.rows,
      openAsks: this.openAsks.length,
      run,
      trust: this.#around.trust.ofSession(runner, folder, run),
      runnerOnline: this.link !== undefined,
      olderRunner: this.link?.isOlder ? this.link : undefined,
      silentSince: this.#silence.since,
      dialled: this.#around.dialled(this.id),
    });
  }

  /** Stores changes of this session's, with its row as it is to be, and shows them then. */
  async write(patch: Partial<SessionRow>, changes: readonly Change[] = []): Promise<void> {
    await this.#record.write(patch, changes);
    this.changed();
  }

  changed(): void {
    this.#around.board.sessionChanged(this.id);
  }

  /* Lines */

  /** The conversation with what it needs to go on; read from the store when it is not at hand. */
  async load(): Promise<Conversation> {
    if (this.#conversation) return this.#conversation;
    this.#loading ??= loadStored(this.#around.store, this.id).then((stored) => {
      this.#conversation = new Conversation(this.#around.store, this.id, this, stored);
      this.#summary = stored.state.reduce.summary;
      this.#rev = stored.state.reduce.rev;
      this.#epoch = this.#conversation.epoch;
      return this.#conversation;
    });
    try {
      return await this.#loading;
    } finally {
      this.#loading = undefined;
    }
  }

  /** Gives memory back when nobody needs it. */
  release(): void {
    if (this.alive || this.#watches.size > 0 || !this.#conversation?.quiet) return;
    this.#conversation.close();
    this.#conversation = undefined;
  }

  async lines(arrivals: readonly Arrival[]): Promise<boolean> {
    await (await this.load()).room();
    const conversation = await this.load();
    if (this.#silence.heard()) this.changed();
    const known = conversation.seq;
    const taken = conversation.accept(arrivals);
    this.#around.raw.taken(this.id, arrivals, known);
    // All of them were there already: the runner has not heard of it.
    if (conversation.storedSeq === conversation.seq) this.acknowledge(conversation.seq);
    this.#around.livens(this);
    return taken;
  }

  /** The last row of the log that is stored. */
  async lastPos(): Promise<number> {
    return (await this.#around.store.progress(this.id))?.pos ?? 0;
  }

  /** Whether this line was taken in already. */
  has(seq: number): boolean {
    return seq <= (this.#conversation?.seq ?? 0);
  }

  /** Whether the agent has fallen silent in the middle of its work. */
  listen(): void {
    const working = this.alive && this.#summary.status === "active";
    if (this.#silence.listen(working)) this.changed();
  }

  acknowledge(seq: number): void {
    this.link?.acknowledge(this.id, seq);
  }

  failed(failure: unknown): void {
    this.#around.log(`session ${this.id}: its lines cannot be stored: ${String(failure)}`);
    this.#conversation = undefined; // the runner has them still, and sends them again
    this.#consequences.discard();
    this.#record.discard();
  }

  changesFor(happened: readonly Happening[]): Change[] {
    const { alive } = this;
    const changes = this.#consequences.of(happened);
    if (alive && !this.alive) this.#wordGiven = false;
    return changes;
  }

  offer(): Change[] {
    return this.#record.offer();
  }

  stored(items: readonly StoredItem[]): void {
    const conversation = this.#conversation;
    if (!conversation) return;
    this.#record.settle();
    this.#consequences.stored();
    this.#around.raw.stored(this.id, conversation.storedSeq);
    this.#summary = conversation.storedSummary;
    this.#rev = conversation.storedRev;
    this.#publish(conversation, items);
    this.changed();
    if (!this.alive) for (const over of this.#whenOver.splice(0)) over();
    this.pump();
  }

  /** Settles when the run that lives is over and that is stored. */
  async over(): Promise<void> {
    while (this.alive) await new Promise<void>((resolve) => this.#whenOver.push(resolve));
  }

  /* Who watches */

  #publish({ live }: Conversation, items: readonly StoredItem[]): void {
    const news = items.filter(({ id, growing }) => live.isNews(id, growing));
    if (news.length > 0) this.tellText(); // who has this revision has all text that is stored with it
    for (const { id, growing } of items) live.announce(id, growing);
    if (news.length === 0 || this.#watches.size === 0) return;
    const facts = { session: this.id, epoch: this.epoch, rev: this.#rev, more: false };
    const frame = itemsFrame(
      facts,
      news.map(({ json }) => json),
    );
    for (const watch of this.#watches) watch.publish(frame);
  }

  /** Text that has grown goes to everybody who is up to date. */
  tellText(): void {
    for (const frame of this.#conversation?.live.frames() ?? []) {
      for (const watch of this.#watches) watch.text(frame);
    }
  }

  textSoFar(): string[] {
    return this.#conversation?.live.catchUp() ?? [];
  }

  watch(watch: Watch): void {
    this.#watches.add(watch);
  }
  unwatch(watch: Watch): void {
    this.#watches.delete(watch);
  }

  /* Runs and prompts */

  /** A person wants it to go on: a run starts when there is none. */
  async wake(by: By): Promise<void> {
    this.#wordGiven = true;
    this.#wordWhileAway ||= !this.link;
    if (!this.alive) await this.start(by);
    else this.pump();
  }

  /** …and what they sent is kept: what stands in the way of a run is shown with the session. */
  async tryToWake(by: By): Promise<void> {
    await this.wake(by).catch((why: unknown) => this.#cannotStart(why));
  }

  /** An agent has dialled in: that is the word. `run`: its own name for this life, if it has one. */
  async dialledIn(by: By, run?: string): Promise<void> {
    this.#wordGiven = true;
    await this.start(by, run);
  }

  /** What a run needs; a refusal says what of it is not there. */
  needs() {
    const { link, row } = this;
    if (!link) throw runnerAway();
    if (link.isOlder) throw runnerOlder(link.own);
    const agent = this.#around.agent(row.agent);
    const environment = this.#around.environment(row.options.environment ?? agent.environment);
    return { link, agent, environment };
  }

  async start(by: By, run: string = crypto.randomUUID()): Promise<void> {
    const { link, agent, environment } = this.needs();
    const conversation = await this.load();
    if (this.alive) return;
    const allowed = isLimited(this.row) ? this.#around.allowedFolders(this.row.runner) : undefined;
    const order = startOrder(this.row, run, conversation.seq, agent, environment, allowed);
    const { session, status, policy, launch } = order;
    const facts = { run, status, agent: agent.name, policy, folder: launch.folder };
    const at = Date.now();
    const row = { id: run, session, runner: link.runner, startedAt: at };
    await this.write({ state: "starting", problem: null, run }, [
      { kind: "run", row: { ...row, facts: null, endedAt: null, end: null } },
      audit("run-started", by, session, facts, at),
    ]);
    this.#consequences.newRun();
    this.#silence.heard();
    link.order(run, order).catch((why: unknown) => void this.#notStarted(run, why));
  }

  /** Nobody waits for this run's beginning, so the session says why there is none. */
  async #cannotStart(why: unknown): Promise<void> {
    const problem = why instanceof Error ? why.message : String(why);
    const isAway = why instanceof Refusal && why.code === "runner-away";
    if (!isAway) this.#around.log(`session ${this.id}: no run was started: ${problem}`);
    if (this.alive || (isAway && restless.has(this.row.state))) return;
    // That somebody wants it to go on outlives the hub.
    const patch = isAway ? { state: "parked", problem: null } : { state: "crashed", problem };
    await this.write(patch).catch(() => {}); // while the store is in trouble, the board says so
  }

  /** What waited for something else than the agent goes on: a run, if one was asked for; messages. */
  async goOn(): Promise<void> {
    if (!this.alive && this.prompts.waits && this.#wordGiven) {
      await this.tryToWake({ name: HUB });
    }
    this.pump();
  }

  /** The runner will not start it. (A run that starts and fails says so in its lines.) */
  async #notStarted(run: string, why: unknown): Promise<void> {
    if (!(why instanceof Refusal) || why.code === "runner-away") return; // it is told when it comes back
    if (this.row.run !== run || this.row.state !== "starting") return;
    await this.write({ state: "crashed", problem: why.message }).catch(() => {});
    for (const over of this.#whenOver.splice(0)) over();
  }

  /** The runner is there (again). What it was given is given again; the runs it has lost are over. */
  async reconcile(link: RunnerLink, lost: ReadonlySet<string>): Promise<void> {
    const { run, state } = this.row;
    const word = this.#wordWhileAway;
    this.#wordWhileAway = false;
    if (this.alive && run !== null && lost.has(run)) {
      const again = this.prompts.waits && (word || state === "starting");
      const conversation = await this.load();
      conversation.note(lostRun(run, state, this.row.driver === RELAYED), run);
      await conversation.settled();
      if (again) await this.tryToWake({ name: HUB });
    } else if (this.alive && run !== null) {
      this.#delivery.again(link, run);
    }
    await this.goOn();
  }

  /** The end of its turn may have been lost: until there is another, messages do not wait for it. */
  unheard(): void {
    this.#unsure = true;
    this.pump();
  }

  /** Sends what is due. */
  pump(): void {
    const { link } = this;
    const { run, state } = this.row;
    if (!link || run === null || state !== "running") return;
    const isAtRest = atRest.has(this.#summary.status);
    if (isAtRest) this.#unsure = false;
    this.#delivery.pump(link, run, isAtRest || this.#unsure);
  }

  /** Settles when all that was taken in is stored. */
  async settled(): Promise<void> {
    await this.#conversation?.settled();
  }

  close(): void {
    for (const watch of this.#watches) watch.end();
    this.#conversation?.close();
  }
}
