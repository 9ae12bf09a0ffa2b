import type { AgentSetting, AskView, KeeperNote, RunFacts } from "@signalbox/protocol";
import type { Summary, TimelineEvent } from "@signalbox/timeline";
import { askChange, type AskBook } from "../asks/ask-book.ts";
import { askId, askOf } from "../asks/ask.ts";
import { type Actor, Refusal, type SessionView } from "../engine.ts";
import type { Board } from "../fan-out/board.ts";
import { itemsFrame, type Watch, type Watchable } from "../fan-out/watch.ts";
import { type RunnerLink, runnerAway } from "../link/runner-link.ts";
import type { Change, PromptRow, RunRow, SessionRow, Store } from "../log/store.ts";
import {
  type Arrival,
  Conversation,
  epochOf,
  type Happened,
  type Keeper,
  type StoredItem,
} from "./conversation.ts";
import { startOrder, type TakeUp } from "./launch.ts";
import { loadStored } from "./load.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { isAlive, sessionViewOf } from "./view.ts";

/** What a session finds around itself. */
export interface Surroundings {
  readonly store: Store;
  readonly board: Board;
  readonly asks: AskBook;
  link(runner: string): RunnerLink | undefined;
  agent(name: string): AgentSetting;
  environment(name: string | undefined): Readonly<Record<string, string>>;
  /** Something grows: text is to be told soon. */
  livens(session: Session): void;
  log(text: string): void;
}

/** An agent that says nothing for so long in the middle of a turn is called silent. */
const SILENT_MS = 30_000;
/** A person who sends or wakes gives the word to start a run; these states do not start by themselves. */
const restless = new Set(["new", "parked"]);
const atRest = new Set(["idle", "background", "starting"]);

/** One conversation with one agent, over all its runs. */
export class Session implements Keeper, Watchable {
  readonly id: string;
  readonly prompts = new PromptQueue();
  readonly #around: Surroundings;
  /** As it was stored last, and so as everybody may see it. */
  #shown: SessionRow;
  /** …with what is on its way to the store. */
  #row: SessionRow;
  #summary: Summary;
  #rev: number;
  #facts: RunFacts | undefined;
  #loading: Promise<Conversation> | undefined;
  #conversation: Conversation | undefined;
  readonly #watches = new Set<Watch>();
  #apply: (() => void)[] = [];
  #lastHeard = Date.now();
  #silent = false;
  #wordGiven = false;
  #replays = 0;
  #whenOver: (() => void)[] = [];

  constructor(around: Surroundings, row: SessionRow, summary: Summary, rev: number, run?: RunRow) {
    this.#around = around;
    this.id = row.id;
    this.#row = this.#shown = row;
    this.#summary = summary;
    this.#rev = rev;
    this.#facts = run?.facts ? (JSON.parse(run.facts) as RunFacts) : undefined;
    this.#wordGiven = restless.has(row.state);
  }

  get row(): SessionRow {
    return this.#row;
  }
  get rev(): number {
    return this.#rev;
  }
  get epoch(): string {
    return this.#conversation?.epoch ?? epochOf(this.#around.store, 0);
  }
  get summary(): Summary {
    return this.#summary;
  }
  get alive(): boolean {
    return isAlive(this.#row);
  }
  get link(): RunnerLink | undefined {
    return this.#around.link(this.#row.runner);
  }
  get lastUuid(): string | undefined {
    return this.#conversation?.lastUuid;
  }
  /** Nothing runs, is asked, queued or in the background: its process can be given back. */
  get idle(): boolean {
    const { status, tasks } = this.#summary;
    const free = this.#row.state === "running" && status !== "active" && atRest.has(status);
    return (
      free && tasks.length === 0 && this.prompts.rows.length === 0 && this.openAsks.length === 0
    );
  }
  get lastHeard(): number {
    return this.#lastHeard;
  }
  get openAsks(): AskView[] {
    return this.#around.asks.ofSession(this.id);
  }

  get view(): SessionView {
    return sessionViewOf(this.#shown, {
      summary: this.#summary,
      rev: this.#rev,
      prompts: this.prompts.rows,
      openAsks: this.openAsks.length,
      run: this.#facts,
      runnerOnline: this.link !== undefined,
      silentSince: this.#silent ? this.#lastHeard : undefined,
    });
  }

  /** Stores changes of this session's, with its row as it is to be, and shows them then. */
  async write(patch: Partial<SessionRow>, changes: readonly Change[] = []): Promise<void> {
    this.#row = { ...this.#row, ...patch };
    const row = this.#row;
    try {
      await this.#around.store.commit([{ kind: "session", row }, ...changes]);
    } catch (failure) {
      if (this.#row === row) this.#row = this.#shown;
      throw failure;
    }
    this.#shown = row;
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
    const conversation = await this.load();
    this.#lastHeard = Date.now();
    if (this.#silent) {
      this.#silent = false;
      this.changed();
    }
    const taken = conversation.accept(arrivals);
    // All of them were there already: the runner has not heard of it.
    if (conversation.storedSeq === conversation.seq) this.acknowledge(conversation.seq);
    this.#around.livens(this);
    return taken;
  }

  /** Whether the agent has fallen silent in the middle of its work. */
  listen(now: number): void {
    const silent =
      this.alive && this.#summary.status === "active" && now - this.#lastHeard > SILENT_MS;
    if (silent === this.#silent) return;
    this.#silent = silent;
    this.changed();
  }

  acknowledge(seq: number): void {
    this.link?.acknowledge(this.id, seq);
  }

  failed(failure: unknown): void {
    this.#around.log(`session ${this.id}: its lines cannot be stored: ${String(failure)}`);
    this.#conversation = undefined;
  }

  /* What lines bring */

  changesFor({ notes, events }: Happened): Change[] {
    const before = this.#row;
    const changes = [
      ...notes.flatMap(({ note, run, at }) => this.#onNote(note, run, at)),
      ...events.flatMap((event) => this.#onEvent(event)),
    ];
    if (this.#row === before) return changes;
    const row = this.#row;
    this.#apply.push(() => (this.#shown = row));
    return [{ kind: "session", row }, ...changes];
  }

  #onNote(note: KeeperNote, run: string | null, at: number): Change[] {
    switch (note.subtype) {
      case "run_started":
        return this.#onRunStarted(note, at);
      case "run_ended":
        return this.#onRunEnded(note, at);
      case "ask_opened": {
        const { folder, options } = this.#row;
        const source = { session: this.id, run: run ?? "", folder, at };
        const ask = askOf(note, { ...source, limitMinutes: options.askLimitMinutes });
        return this.#around.asks.recent(ask.id) ? [] : [this.#ask(ask)];
      }
      case "ask_closed": {
        // What the runner says became of it counts: an answer may have come too late.
        const ask = this.#around.asks.recent(askId(this.id, run ?? "", note.requestId));
        if (!ask || (ask.status !== "open" && note.how !== "withdrawn")) return [];
        const status = note.how === "withdrawn" ? "cancelled" : note.how;
        const by = note.by === undefined ? {} : { answeredBy: note.by };
        return [this.#ask({ ...ask, status, answeredAt: at, ...by })];
      }
      default:
        return [];
    }
  }

  #ask(ask: AskView): Change {
    this.#apply.push(() => this.#around.asks.show(ask));
    return askChange(ask);
  }

  #onRunStarted(note: KeeperNote<"run_started">, at: number): Change[] {
    if (note.run !== this.#row.run) return [];
    const { run, driver, agent, capabilities, leftOut } = note;
    const { path, version, versionClass } = agent;
    const facts: RunFacts = {
      run,
      driver,
      path,
      version,
      versionClass,
      capabilities,
      leftOut: leftOut.map(({ option, why }) => ({ option, why })),
      startedAt: at,
    };
    this.#row = { ...this.#row, state: "running", problem: null };
    this.#replays = 0;
    this.#apply.push(() => (this.#facts = facts));
    return [{ kind: "run", row: this.#runRow(at, facts) }];
  }

  #onRunEnded(note: KeeperNote<"run_ended">, at: number): Change[] {
    if (note.run !== this.#row.run) return [];
    const state = note.status === "ended" ? "stopped" : note.status;
    const problem = state === "crashed" ? note.sentence : null;
    const dropped = note.kind === "resume-failed" ? { conversation: null } : {};
    this.#row = { ...this.#row, state, problem, ...dropped };
    this.#wordGiven = false;
    const unsent = this.prompts.sentTo(note.run).map((row) => ({ ...row, sentTo: null }));
    const asks = this.openAsks.filter(({ run }) => run === note.run);
    this.#apply.push(() => {
      for (const row of unsent) this.prompts.put(row);
    });
    return [
      { kind: "run", row: { ...this.#runRow(at, this.#facts), endedAt: at, end: note.sentence } },
      ...unsent.map((row): Change => ({ kind: "prompt", row })),
      ...asks.map((ask) => this.#ask({ ...ask, status: "cancelled", answeredAt: at })),
    ];
  }

  #runRow(at: number, facts: RunFacts | undefined): RunRow {
    const { run, runner } = this.#row;
    const startedAt = facts?.startedAt ?? at;
    const told = facts && facts.run === run ? JSON.stringify(facts) : null;
    return {
      id: run ?? "",
      session: this.id,
      runner,
      startedAt,
      facts: told,
      endedAt: null,
      end: null,
    };
  }

  #onEvent(event: TimelineEvent): Change[] {
    switch (event.type) {
      case "session-started":
        if (event.sessionId !== this.#row.conversation) {
          this.#row = { ...this.#row, conversation: event.sessionId };
        }
        return [];
      case "user-replayed":
        this.#replays++;
        return this.#arrived(event.uuid);
      case "command-moved":
        return this.#arrived(event.uuid);
      case "turn-ended": {
        // An agent that prints nothing back has shown by its answer that the first message arrived.
        const [first] = this.prompts.sentTo(this.#row.run);
        return this.#replays === 0 && first ? this.#arrived(first.id) : [];
      }
      default:
        return [];
    }
  }

  #arrived(id: string): Change[] {
    if (!this.prompts.get(id)) return [];
    this.#apply.push(() => this.prompts.remove(id));
    return [{ kind: "prompt-gone", id }];
  }

  stored(_: Happened, items: readonly StoredItem[]): void {
    const conversation = this.#conversation;
    if (!conversation) return;
    for (const apply of this.#apply.splice(0)) apply();
    this.#summary = conversation.storedSummary;
    this.#rev = conversation.storedRev;
    this.#publish(items);
    this.changed();
    if (!this.alive) for (const over of this.#whenOver.splice(0)) over();
    this.pump();
  }

  /** Settles when the run that lives is over and that is stored. */
  async over(): Promise<void> {
    while (this.alive) await new Promise<void>((resolve) => this.#whenOver.push(resolve));
  }

  /* Who watches */

  #publish(items: readonly StoredItem[]): void {
    const live = this.#conversation?.live;
    const news = items.filter(
      ({ id, growing }) => growing === undefined || live?.announce(id, growing) === true,
    );
    if (news.length === 0 || this.#watches.size === 0) return;
    const facts = { session: this.id, epoch: this.epoch, rev: this.#rev, more: false };
    const frame = itemsFrame(
      facts,
      news.map(({ json }) => json),
    );
    for (const watch of this.#watches) watch.publish(news, frame);
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
  async wake(by: Actor, takeUp?: TakeUp): Promise<void> {
    this.#wordGiven = true;
    if (!this.alive) await this.start(by.name, takeUp);
    else this.pump();
  }

  async start(by: string, takeUp?: TakeUp): Promise<void> {
    const link = this.link;
    if (!link) throw runnerAway();
    const agent = this.#around.agent(this.#row.agent);
    const environment = this.#around.environment(
      this.#row.options.environment ?? agent.environment,
    );
    const conversation = await this.load();
    if (this.alive) return;
    const run = crypto.randomUUID();
    const order = startOrder(this.#row, run, conversation.seq, agent, environment, takeUp);
    const { session, status } = order;
    const facts = {
      run,
      status,
      agent: agent.name,
      policy: order.policy,
      folder: order.launch.folder,
    };
    const at = Date.now();
    this.#facts = undefined;
    await this.write({ state: "starting", problem: null, run }, [
      {
        kind: "run",
        row: {
          id: run,
          session,
          runner: link.runner,
          startedAt: at,
          facts: null,
          endedAt: null,
          end: null,
        },
      },
      { kind: "audit", news: { at, what: "run-started", by, session, facts } },
    ]);
    this.#lastHeard = at;
    link.order(run, order).catch((why: unknown) => void this.#notStarted(run, why));
  }

  /** The runner will not start it. (A run that starts and fails says so in its lines.) */
  async #notStarted(run: string, why: unknown): Promise<void> {
    if (!(why instanceof Refusal) || why.code === "runner-away") return; // it is told when it comes back
    if (this.#row.run !== run || this.#row.state !== "starting") return;
    await this.write({ state: "crashed", problem: why.message }).catch(() => {});
  }

  /** The runner is there (again). What it was given is given again; what it does not know is over. */
  async reconcile(link: RunnerLink, known: ReadonlySet<string>): Promise<void> {
    const { run, state } = this.#row;
    if (this.alive && run !== null && !known.has(run)) {
      const conversation = await this.load();
      const again = state === "starting" && this.prompts.waits;
      conversation.note(lostRun(run, state), run);
      await conversation.settled();
      if (again) await this.start("the hub, which had been asked to").catch(() => {});
      return;
    }
    if (this.alive && run !== null) {
      for (const prompt of this.prompts.sentTo(run)) void this.#deliver(prompt, link);
    } else if (this.prompts.waits && this.#wordGiven) {
      await this.start("the hub, which had been asked to").catch(() => {});
    }
    this.pump();
  }

  /** Sends what is due. */
  pump(): void {
    const { link } = this;
    const { run, state } = this.#row;
    if (!link || run === null || state !== "running") return;
    const idle = atRest.has(this.#summary.status);
    for (const prompt of this.prompts.due(run, idle)) {
      const sent = { ...prompt, sentTo: run };
      this.prompts.put(sent);
      void this.#around.store
        .commit([{ kind: "prompt", row: sent }])
        .then(() => this.#deliver(sent, link))
        .catch(() => this.prompts.put(prompt));
    }
  }

  async #deliver(prompt: PromptRow, link: RunnerLink): Promise<void> {
    const { id, text, sentTo } = prompt;
    if (sentTo === null) return;
    try {
      const images = await Promise.all(
        (JSON.parse(prompt.images) as { blob: string; name?: string }[]).map(async (image) => {
          const bytes = (await this.#around.store.blob(image.blob)) ?? new Uint8Array();
          const data = Buffer.from(bytes).toString("base64");
          return { data, ...(image.name !== undefined && { name: image.name }) };
        }),
      );
      const order = {
        kind: "prompt",
        session: this.id,
        run: sentTo,
        uuid: id,
        text,
        images,
      } as const;
      await link.order(`${id}.${sentTo}`, order);
    } catch (why) {
      if (why instanceof Refusal && why.code === "runner-away") return; // it is sent again
      const waits = this.prompts.get(id);
      if (waits?.sentTo === sentTo) await this.#undelivered(waits, why);
    }
    this.changed();
  }

  async #undelivered(prompt: PromptRow, why: unknown): Promise<void> {
    const row = { ...prompt, sentTo: null };
    await this.#around.store.commit([{ kind: "prompt", row }]).catch(() => {});
    this.prompts.put(row);
    this.#around.log(`session ${this.id}: a message was not taken: ${String(why)}`);
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

function lostRun(run: string, state: string): string {
  const sentence =
    state === "starting"
      ? "The agent was not started: the runner ended before it could be. A message starts it."
      : "The runner ended, and the agent with it. What was said is kept; a new message starts it again.";
  const note = { type: "signalbox", subtype: "run_ended", run, status: "crashed" };
  return JSON.stringify({ ...note, kind: "runner-lost", sentence });
}
