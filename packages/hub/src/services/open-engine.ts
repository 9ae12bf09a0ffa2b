import type { FolderContents } from "@signalbox/api";
import type { AgentSetting, AgentView, OutputTail, RunnerView } from "@signalbox/api";
import type { Order } from "@signalbox/api/link";
import { AnswerService } from "./answer-service.ts";
import { AskRegistry } from "../asks/ask-registry.ts";
import {
  type Actor,
  type Engine,
  type RunnerGateway,
  type SendFrame,
  type UnsentBytes,
  type SessionSummary,
  type Subscriber,
} from "../engine.ts";
import type { ApproverKey } from "../devices/access-control.ts";
import { Board } from "../fan-out/board.ts";
import { RawFeed } from "../fan-out/raw-feed.ts";
import { LiveClient } from "../fan-out/live-client.ts";
import { RunnerRegistry } from "./runner-registry.ts";
import { createMachineAwayRefusal, type RunnerLink } from "../link/runner-link.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { AllowedFolders, isLimitedToAllowedFolders } from "./allowed-folders.ts";
import { PeriodicTasks } from "./periodic-tasks.ts";
import { SessionCommands } from "./session-commands.ts";
import { isDriver } from "../session/driver-limits.ts";
import { resolveFolder } from "./resolve-folder.ts";
import { LiveTextScheduler } from "../session/live-text-scheduler.ts";
import { getOutputPath } from "./output-path.ts";
import { setPolicy } from "./policy.ts";
import { PromptService } from "./prompt-service.ts";
import { HistoryReader } from "./history-reader.ts";
import { type RelaySessions, createRelaySessions } from "./relay-sessions.ts";
import { createNoSuchRunnerRefusal, RunnerLinks } from "../link/runner-links.ts";
import type { SessionDeps } from "../session/session.ts";
import { listMachines } from "./machines.ts";
import { Sessions } from "../session/sessions.ts";
import { Settings } from "./settings.ts";
import { FolderTrustService } from "./folder-trust.ts";
import { TrustRegistry } from "../trust/trust-registry.ts";
import { toQueuedPrompt } from "../session/session-summary.ts";

export interface EngineOptions {
  readonly store: Store;
  /** The id of the runner that the hub starts by itself. */
  readonly ownRunner: string;
  /** Whether it does: then it is missed while it is not there. */
  readonly startsRunner?: boolean;
  /** The id of the one inside the hub, for agents that dial in; none: there is no relay. */
  readonly relayRunner?: string;
  /** Runners of other machines that were let in, whether they are connected or not. */
  /** The keys whose decisions runners carry out; without it they are told none. */
  readonly approvers?: () => readonly ApproverKey[];
  /** Whether the audit chain knows an ask of this id and hash; one that it does not is not shown. */
  readonly knowsAsk?: (id: string, hash: string) => boolean;
  readonly pairedRunners?: () => readonly { readonly id: string; readonly name: string }[];
  /** The folders of the hub's own machine below which drivers may start sessions; sets them. */
  readonly roots?: readonly string[];
  /** Agents that are offered beside Claude Code, whatever the settings say. */
  readonly agents?: readonly AgentSetting[];
  readonly log?: (text: string) => void;
  readonly parkMs?: number;
  readonly tickMs?: number;
  /** How many sessions there may be. */
  readonly maxSessions?: number;
}

export interface OpenEngine extends Engine, RunnerGateway, AsyncDisposable {
  /** Whether this runner is connected. */
  hasRunner(id: string): boolean;
  /** Whether this runner is connected, is of the version before, and has no agents. */
  isReplaceable(id: string): boolean;
  /** Tells the runners the keys whose decisions count: one has come or gone. */
  approversChanged(): void;
  /** How many agents are alive, as far as is known. */
  readonly liveSessionCount: number;
  readonly relaySessions: RelaySessions;
}

/** Everything behind the doors, as it was stored. */
export async function openEngine(options: EngineOptions): Promise<OpenEngine> {
  const engine = new HubEngine(options);
  await engine.load();
  return engine;
}

class HubEngine implements OpenEngine {
  readonly #store: Store;
  readonly #settings: Settings;
  readonly #sessions: Sessions;
  readonly #runners: RunnerLinks;
  readonly #allowed: AllowedFolders;
  readonly #ownRunner: string;
  readonly #relayRunner: string | undefined;
  readonly #known: () => ReadonlyMap<string, string>;
  readonly #machines: (runs: (runner: string) => number) => RunnerView[];
  readonly #asks: AskRegistry;
  readonly #trust: TrustRegistry;
  readonly #folders: FolderTrustService;
  readonly #board: Board;
  readonly #around: SessionDeps;
  readonly #commands: SessionCommands;
  readonly #prompting: PromptService;
  readonly #answers: AnswerService;
  readonly #reading: HistoryReader;
  readonly #desk: RunnerRegistry;
  readonly #clock: PeriodicTasks;
  readonly #connections = new Set<LiveClient>();
  readonly #texts = new LiveTextScheduler();
  readonly #unlisten: () => void;

  readonly #raw = new RawFeed();
  readonly #knowsAsk: (id: string, hash: string) => boolean;
  readonly relaySessions: RelaySessions;
  unknownAsks: readonly string[] = [];

  constructor(options: EngineOptions) {
    const { store, ownRunner, relayRunner, agents, log, parkMs, tickMs } = options;
    this.#sessions = new Sessions(options.maxSessions);
    this.#store = store;
    this.#runners = new RunnerLinks(options.startsRunner ? ownRunner : undefined);
    this.#machines = (runs) => {
      const paired = options.pairedRunners?.() ?? [];
      const others = paired.filter(({ id }) => id !== ownRunner);
      const views = this.#runners.listViews(runs);
      const marked = views.map((view) =>
        view.id === relayRunner ? { ...view, relay: true } : view,
      );
      return listMachines(marked, others, runs);
    };
    this.#settings = new Settings(store, agents);
    this.#ownRunner = ownRunner;
    this.#relayRunner = relayRunner;
    this.#allowed = new AllowedFolders({
      store,
      ownRunner,
      ...(options.roots && { initial: options.roots }),
      getHome: (runner) => this.#runners.get(runner)?.home,
      listRows: () => this.#sessions.list().map(({ row }) => row),
    });
    this.#board = new Board({
      listSessions: () => this.sessions(),
      findSession: (id) => this.#sessions.find(id)?.view,
      listAsks: () => this.asks(),
      findAsk: (id) => this.#asks.find(id),
      listProjects: () => this.projects(),
      listRunners: () => this.runners(),
      getTrouble: () => (store.health.writable ? null : store.health.detail),
    });
    this.#trust = new TrustRegistry(store);
    this.#asks = new AskRegistry(store, ({ id, session }) => {
      this.#board.askChanged(id);
      this.#board.sessionChanged(session);
    });
    this.relaySessions = createRelaySessions(this.#sessions, this.#board, this.#raw);
    this.#around = {
      rawFeed: this.#raw,
      getDialedState: (session) => this.relaySessions.dialled(session),
      store,
      board: this.#board,
      asks: this.#asks,
      trust: this.#trust,
      findLink: (runner) => this.#runners.get(runner),
      getAgent: (name) => this.#settings.agent(name),
      getEnvironment: (name) => this.#settings.environment(name),
      listAllowedFolders: (runner) => this.#allowed.list(runner),
      scheduleLiveText: (session) => this.#texts.schedule(session),
      log: log ?? (() => {}),
    };
    const known = (this.#known = () => this.#knownRunners(options));
    this.#commands = new SessionCommands(
      this.#around,
      this.#sessions,
      known,
      ownRunner,
      relayRunner,
    );
    this.#folders = new FolderTrustService({
      store,
      registry: this.#trust,
      ownRunner,
      sendOrder: (runner, order) => this.#order(runner, order),
      getLimits: (by, runner) => (by && isDriver(by) ? this.#limitsOn(runner) : {}),
      onChanged: (runner) => {
        for (const session of this.#sessions.listByRunner(runner)) session.changed();
      },
    });
    this.#prompting = new PromptService(store, this.#sessions);
    this.#answers = new AnswerService(
      this.#around,
      this.#sessions,
      (runner) => options.approvers !== undefined && runner !== relayRunner,
    );
    this.#reading = new HistoryReader(store, this.#sessions);
    const changed = () => this.#board.hubChanged();
    const { approvers, knowsAsk } = options;
    this.#desk = new RunnerRegistry(store, this.#runners, this.#sessions, changed, approvers);
    this.#knowsAsk = knowsAsk ?? (() => true);
    const clockwork = { name: "the hub" };
    this.#clock = new PeriodicTasks(
      {
        listSessions: () => this.#sessions.list(),
        listAsks: () => this.#asks.listOpen(),
        mustParkNow: ({ link }) => this.#isInTheWay(link),
        park: (session) => this.#commands.stop(session, clockwork, true),
        expire: (ask) => this.#answers.expire(ask),
        endBypass: (session) =>
          setPolicy(session, "default", undefined, { name: "the time limit" }),
      },
      { ...(tickMs !== undefined && { tickMs }), ...(parkMs !== undefined && { parkMs }) },
    );
    this.#unlisten = store.onHealth(({ writable }) => {
      this.#board.hubChanged();
      if (writable) for (const session of this.#sessions.list()) void session.resumePending();
    });
  }

  async load(): Promise<void> {
    await this.#settings.load();
    await this.#allowed.load();
    const folders = new Map((await this.#store.sessions()).map(({ id, folder }) => [id, folder]));
    this.unknownAsks = await this.#asks.load(this.#knowsAsk, (session) => folders.get(session));
    await this.#trust.load();
    await this.#sessions.load(this.#around);
  }

  /* What there is */

  sessions(): SessionSummary[] {
    return this.#sessions.list().map(({ view }) => view);
  }
  session(id: string): SessionSummary {
    return this.#sessions.get(id).view;
  }
  projects() {
    return this.#sessions.listProjects();
  }
  asks() {
    return this.#asks.listOpen();
  }
  runners(): RunnerView[] {
    const alive = (runner: string) =>
      this.#sessions.listByRunner(runner).filter((session) => session.alive).length;
    return this.#machines(alive);
  }
  /** Where sessions can be: each by its id, with what a person calls it. */
  #knownRunners({ ownRunner, relayRunner, pairedRunners }: EngineOptions): Map<string, string> {
    return new Map([
      ...(pairedRunners?.() ?? []).map(({ id, name }) => [id, name] as const),
      ...this.runners().map(({ id, machine }) => [id, machine] as const),
      ...(relayRunner === undefined ? [] : [[relayRunner, "agents that dial in"] as const]),
      [ownRunner, "the hub's own"] as const,
    ]);
  }
  approversChanged(): void {
    this.#desk.approversChanged();
  }
  hasRunner(id: string): boolean {
    return this.#runners.get(id) !== undefined;
  }
  isReplaceable(id: string): boolean {
    return (
      !!this.#runners.get(id)?.isPreviousVersion &&
      !this.#sessions.listByRunner(id).some((s) => s.alive)
    );
  }
  /** The hub replaces its own runner alone, and takes no agent away from one that is at work. */
  #isInTheWay(link: RunnerLink | undefined): boolean {
    if (!link?.isPreviousVersion || !link.own) return false;
    return this.#sessions.listByRunner(link.runner).every((each) => !each.alive || each.idle);
  }
  get liveSessionCount(): number {
    return this.#sessions.list().filter((session) => session.alive).length;
  }

  async agents(runner?: string): Promise<AgentView[]> {
    return Promise.all(
      this.#settings.agents.map(async (agent): Promise<AgentView> => {
        const { path, npm } = agent;
        if (npm !== undefined) return agent; // installed when it is first used
        const order = { kind: "find-agent", ...(path !== undefined && { path }) } as const;
        try {
          return { ...agent, found: (await this.#order(runner, order)) as AgentView["found"] };
        } catch (why) {
          return { ...agent, problem: why instanceof Error ? why.message : String(why) };
        }
      }),
    );
  }
  async setAgents(agents: readonly AgentSetting[], by: Actor): Promise<void> {
    const facts = { agents: agents.map(({ name, path, npm }) => ({ name, path, npm })) };
    await this.#settings.setAgents(agents, [createAuditChange("agents-set", by, null, facts)]);
  }
  environments() {
    return Promise.resolve(this.#settings.environments);
  }
  async setEnvironments(
    profiles: Record<string, Record<string, string>>,
    by: Actor,
  ): Promise<void> {
    const facts = { profiles: Object.keys(profiles) }; // names alone: values may be secrets
    await this.#settings.setEnvironments(profiles, [
      createAuditChange("environments-set", by, null, facts),
    ]);
  }

  /* What people do */

  async create(...[id, options, by, also]: Parameters<Engine["create"]>) {
    return (await this.#commands.create(id, options, by, also)).view;
  }
  async change(...[session, change, by]: Parameters<Engine["change"]>) {
    const found = this.#sessions.get(session);
    await this.#commands.change(found, change, by);
    return found.view;
  }
  async delete(...[session, by]: Parameters<Engine["delete"]>) {
    await this.#commands.delete(this.#sessions.get(session), by);
    for (const connection of this.#connections) connection.onSessionDeleted(session);
  }
  async send(...[session, id, prompt, by, also]: Parameters<Engine["send"]>) {
    const found = this.#sessions.get(session);
    return toQueuedPrompt(await this.#prompting.send(found, id, prompt, by, also));
  }
  async movePrompt(...[session, id, to]: Parameters<Engine["movePrompt"]>) {
    const found = this.#sessions.get(session);
    await this.#prompting.move(found, id, to);
    return found.prompts.rows.map(toQueuedPrompt);
  }
  prompt(...[session, id]: Parameters<Engine["prompt"]>) {
    return this.#prompting.read(this.#sessions.get(session), id);
  }
  withdrawPrompt(...[session, id]: Parameters<Engine["withdrawPrompt"]>) {
    return this.#prompting.withdraw(this.#sessions.get(session), id);
  }
  async interrupt(...[session, by]: Parameters<Engine["interrupt"]>) {
    await this.#commands.request(this.#sessions.get(session), "interrupt", {}, by);
  }
  async stop(...[session, by]: Parameters<Engine["stop"]>) {
    const found = this.#sessions.get(session);
    await this.#commands.stop(found, by, false);
    return found.view;
  }
  async park(...[session, by]: Parameters<Engine["park"]>) {
    const found = this.#sessions.get(session);
    await this.#commands.stop(found, by, true);
    return found.view;
  }
  async wake(...[session, by]: Parameters<Engine["wake"]>) {
    const found = this.#sessions.get(session);
    await found.wake(by);
    return found.view;
  }
  async retry(...[session, by, { fresh = false }]: Parameters<Engine["retry"]>) {
    const found = this.#sessions.get(session);
    await this.#commands.retry(found, by, fresh);
    return found.view;
  }
  async fork(...[session, newId, point, by]: Parameters<Engine["fork"]>) {
    return (await this.#commands.fork(this.#sessions.get(session), newId, point, by)).view;
  }
  request(...[session, subtype, fields, by]: Parameters<Engine["request"]>) {
    return this.#commands.request(this.#sessions.get(session), subtype, fields, by);
  }
  answer(...[ask, answer, by, also, signed]: Parameters<Engine["answer"]>) {
    return this.#answers.answer(ask, answer, by, also, signed);
  }

  /* What was said */

  changes(...[session, path, limit]: Parameters<Engine["changes"]>) {
    return this.#reading.changes(session, path, limit);
  }
  items(...[session, before, limit]: Parameters<Engine["items"]>) {
    return this.#reading.items(session, before, limit);
  }
  item(...[session, id]: Parameters<Engine["item"]>) {
    return this.#reading.item(session, id);
  }
  lines(...[session, range]: Parameters<Engine["lines"]>) {
    return this.#reading.lines(session, range);
  }
  listFolder(...[runner, path, by]: Parameters<Engine["listFolder"]>) {
    const allowed = isDriver(by) ? this.#limitsOn(runner ?? this.#ownRunner) : {};
    const named = path === undefined ? {} : { path };
    return this.#order(runner, {
      kind: "list-folder",
      ...named,
      ...allowed,
    }) as Promise<FolderContents>;
  }
  /** For a session that a driver made, its folder is looked at again: it may have become a link. */
  findFiles(...[session, query]: Parameters<Engine["findFiles"]>) {
    const { row } = this.#sessions.get(session);
    const { folder, runner } = row;
    const allowed = isLimitedToAllowedFolders(row) ? this.#limitsOn(runner) : {};
    const order = { kind: "find-files", folder, query, ...allowed } as const;
    return this.#order(runner, order) as Promise<string[]>;
  }
  #limitsOn(runner: string): { allowed: string[] } {
    return { allowed: [...this.#allowed.list(runner)] };
  }
  allowedFolders() {
    const machines = this.runners().filter(({ id }) => id !== this.#relayRunner);
    return machines.map(({ id, machine }) => this.#allowed.toView(id, machine));
  }
  async setAllowedFolders(...[change, by]: Parameters<Engine["setAllowedFolders"]>) {
    const { runner = this.#ownRunner, folders } = change;
    const real = folders && (await Promise.all(folders.map((each) => this.#real(runner, each))));
    await this.#allowed.set(runner, real, by);
  }
  /** The folder as it is on its machine. */
  async #real(runner: string, folder: string): Promise<string> {
    if (runner === this.#ownRunner) return resolveFolder(true, folder);
    const order = { kind: "list-folder", path: folder } as const;
    return ((await this.#order(runner, order)) as FolderContents).path;
  }
  async taskOutput(...[session, item]: Parameters<Engine["taskOutput"]>) {
    const { runner } = this.#sessions.get(session).row;
    const path = getOutputPath(await this.#reading.item(session, item));
    return (await this.#order(runner, { kind: "read-output", path })) as OutputTail;
  }
  trustDecisions() {
    return this.#folders.listDecisions();
  }
  folderTrust(...[runner, folder, by]: Parameters<Engine["folderTrust"]>) {
    return this.#folders.inspect(runner, folder, { by });
  }
  sessionTrust(session: string) {
    const { runner, folder, options } = this.#sessions.get(session).row;
    return this.#folders.inspect(runner, folder, { addDirs: options.addDirs });
  }
  grantTrust(...[grant, by, signed]: Parameters<Engine["grantTrust"]>) {
    return this.#folders.grant(grant, by, signed);
  }
  revokeTrust(...[revocation, by]: Parameters<Engine["revokeTrust"]>) {
    return this.#folders.revoke(revocation, by);
  }
  #order(runner: string | undefined, order: Order): Promise<unknown> {
    const link = runner === undefined ? this.#runners.own : this.#runners.get(runner);
    if (link) return link.sendOrder(crypto.randomUUID(), order);
    const known = this.#known();
    const isKnown = runner === undefined || known.has(runner);
    return Promise.reject(
      isKnown ? createMachineAwayRefusal() : createNoSuchRunnerRefusal(404, runner, known),
    );
  }

  /* Who is connected */

  connect(_: Actor, send: SendFrame, unsentBytes?: UnsentBytes): Subscriber {
    const find = (id: string) => this.#sessions.find(id);
    const connection = new LiveClient(send, this.#board, this.#store, find, unsentBytes);
    this.#connections.add(connection);
    const close = () => {
      this.#connections.delete(connection);
      connection.close();
    };
    return {
      watchBoard: () => connection.watchBoard(),
      leaveBoard: () => connection.leaveBoard(),
      watch: (session, has) => connection.watch(session, has),
      leave: (session) => connection.leave(session),
      acknowledge: (received) => connection.acknowledge(received),
      drained: () => connection.drained(),
      close,
    };
  }

  accept(...[device, socket]: Parameters<RunnerGateway["accept"]>) {
    return this.#desk.accept(device, socket);
  }
  removeRunner(runner: string): void {
    this.#desk.removeRunner(runner);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clock.stop();
    this.#unlisten();
    this.#texts.stop();
    this.#board.close();
    for (const connection of this.#connections) connection.close();
    const settled = Promise.all(this.#sessions.list().map((session) => session.flush()));
    await Promise.race([settled, unwritable(this.#store)]); // the runners keep what cannot be stored
    for (const session of this.#sessions.list()) session.close();
  }
}

function unwritable(store: Store): Promise<void> {
  if (!store.health.writable) return Promise.resolve();
  return new Promise((resolve) => store.onHealth(({ writable }) => !writable && resolve()));
}
