/** `@signalbox/hub/engine`: sessions, runners and asks without HTTP in front of them. */
import type { AgentSetting } from "@signalbox/api";
import { type EngineClocks, systemClocks } from "./clocks.ts";
import { AskRegistry } from "./asks/ask-registry.ts";
import type { AuditedDevices } from "./devices/audited-devices.ts";
import type { AuditedPermissions } from "./devices/audited-permissions.ts";
import type { PromptSeals } from "./devices/prompt-seals.ts";
import type { SettingsCheck } from "./devices/audited-settings.ts";
import type { StoredApproverKey } from "./devices/access-control.ts";
import { Board } from "./fan-out/board.ts";
import { BoardChanges } from "./fan-out/board-changes.ts";
import { LiveClients } from "./fan-out/live-clients.ts";
import { RawFeed } from "./fan-out/raw-feed.ts";
import { RunnerLinks } from "./link/runner-links.ts";
import type { Store } from "./store/store.ts";
import type { SearchIndex } from "./search/search-index.ts";
import { AgentVersions } from "./services/agent-versions.ts";
import { AllowedFolders } from "./services/allowed-folders.ts";
import { EmbeddingOrigins } from "./services/embedding-origins.ts";
import { AskService } from "./services/ask-service.ts";
import { DialStates } from "./services/dial-states.ts";
import { DriverCatalog } from "./services/driver-catalog.ts";
import { DraftService } from "./services/draft-service.ts";
import { ChangesService } from "./services/changes-service.ts";
import { ExportService } from "./export/export-service.ts";
import { FolderService } from "./services/folder-service.ts";
import { HistoryReader } from "./services/history-reader.ts";
import { Machines } from "./services/machines.ts";
import { Housekeeping } from "./services/housekeeping.ts";
import { PeriodicTasks } from "./services/periodic-tasks.ts";
import { isTrashed } from "./session/trash.ts";
import { setPolicy } from "./services/policy.ts";
import { ProjectOptionsService } from "./services/project-options-service.ts";
import { PromptService } from "./services/prompt-service.ts";
import { createRelaySessions, type RelaySessions } from "./services/relay-sessions.ts";
import { RelaySetting } from "./services/relay-setting.ts";
import { RunEnds } from "./services/run-ends.ts";
import { RunnerRegistry } from "./services/runner-registry.ts";
import { SearchService } from "./services/search-service.ts";
import { SessionCreation } from "./services/session-creation.ts";
import { SessionOptionChanges } from "./services/session-option-changes.ts";
import { SessionFolders } from "./services/session-folders.ts";
import { SessionSwitches } from "./services/session-switches.ts";
import { SessionService } from "./services/session-service.ts";
import { Settings } from "./services/settings.ts";
import { FolderWatchService } from "./services/folder-watch-service.ts";
import { TerminalService } from "./services/terminal-service.ts";
import { SettingsService } from "./services/settings-service.ts";
import { TrustService } from "./services/trust-service.ts";
import { LiveTextScheduler } from "./session/live-text-scheduler.ts";
import type { SessionDeps } from "./session/session.ts";
import type { LineRecorder } from "./session/session-ingest.ts";
import { StoredOrders } from "./session/stored-orders.ts";
import type { SessionsObserver } from "./session/ingest-observer.ts";
import { Sessions } from "./session/sessions.ts";
import { TranscriptRegistry } from "./session/transcript-registry.ts";
import { ImportService, type ImportTimes } from "./transcripts/import-service.ts";
import { OlderSessions } from "./transcripts/older-sessions.ts";
import { Branches } from "./services/branches.ts";
import { TrustRegistry } from "./trust/trust-registry.ts";

export type { SessionSummary } from "@signalbox/api";
export type { Actor } from "./actor.ts";
export type { SendFrame, UnsentBytes } from "./fan-out/client-channel.ts";
export type { Subscriber } from "./fan-out/live-client.ts";
export type { MakeReceipt } from "./store/make-receipt.ts";
export { HubRefusal, RunnerRefusal } from "./refusal.ts";
export type { RunnerGateway } from "./services/runner-registry.ts";

export interface EngineOptions {
  readonly store: Store;
  /** The id of the runner that the hub starts by itself. */
  readonly ownRunner: string;
  /** Whether the hub starts that runner, which is then listed as away while it is not connected. */
  readonly startsRunner?: boolean;
  /** The id of the runner inside the hub that serves agents which dial in; undefined: there is no relay. */
  readonly relayRunner?: string;
  /** The keys whose signed decisions runners carry out; without it, runners are sent no keys. */
  readonly approvers?: () => readonly StoredApproverKey[];
  /** Whether the audit chain has an ask of this id, hash and digest. One that it does not have is not shown. */
  readonly knowsAsk?: AuditedDevices["knowsAsk"];
  /** The permissions of sessions according to the audit log; without it, the stored values count. */
  readonly permissions?: Pick<
    AuditedPermissions,
    "check" | "confirmsOrder" | "adopt" | "adoptOptions"
  >;
  /** What the audit says about stored settings; without it, all count. */
  readonly settingsCheck?: SettingsCheck;
  /** The index that is kept of what is stored; without it, nothing can be searched. */
  readonly search?: SearchIndex;
  /** The setting of the relay if it was loaded before; otherwise the engine loads it. */
  readonly relaySetting?: RelaySetting;
  /** Watches what sessions take in and store. */
  readonly observer?: SessionsObserver;
  /** Proves which stored messages this hub has accepted; without it, all count. */
  readonly promptSeals?: PromptSeals;
  /** The paired runners of other machines, whether they are connected or not. */
  readonly pairedRunners?: () => readonly { readonly id: string; readonly name: string }[];
  /** Sets the folders of the hub's own machine below which drivers may start sessions. */
  readonly roots?: readonly string[];
  /** A problem that is shown to everybody while the engine is open, unless the store reports another one. */
  readonly trouble?: string;
  /** Agents that are offered in addition to Claude Code, whatever the settings say. */
  readonly agents?: readonly AgentSetting[];
  readonly log?: (text: string) => void;
  /** Records what sessions receive; without it, nothing is recorded. */
  readonly recorder?: LineRecorder;
  /** The clocks that time limits go by. Default: the system's. */
  readonly clocks?: EngineClocks;
  readonly parkMs?: number;
  readonly tickMs?: number;
  /** How Claude Code's own sessions are imported. Default: in the background. */
  readonly importTimes?: ImportTimes;
  /** The highest number of sessions. */
  readonly maxSessions?: number;
}

/**
 * Everything that devices and runners can do, as one service per subject. HTTP routes, sockets and extensions
 * call these services, and nothing else changes sessions.
 */
export interface Engine extends AsyncDisposable {
  readonly sessions: SessionService;
  readonly switches: SessionSwitches;
  readonly prompts: PromptService;
  readonly drafts: DraftService;
  readonly asks: AskService;
  readonly history: HistoryReader;
  readonly folders: FolderService;
  readonly changes: ChangesService;
  readonly search: SearchService;
  readonly trust: TrustService;
  readonly terminals: TerminalService;
  readonly settings: SettingsService;
  readonly projectOptions: ProjectOptionsService;
  readonly embeddingOrigins: EmbeddingOrigins;
  readonly relaySetting: RelaySetting;
  readonly housekeeping: Housekeeping;
  readonly imports: ImportService;
  readonly exports: ExportService;
  readonly runners: RunnerRegistry;
  readonly clients: LiveClients;
  readonly relaySessions: RelaySessions;
  /** Stored permissions of sessions that the audit log does not confirm. They have no effect. */
  readonly listUnconfirmed: () => readonly string[];
}

/** The part of the engine that changes nothing. */
export interface ReadEngine extends Pick<Engine, "listUnconfirmed"> {
  readonly sessions: Pick<
    SessionService,
    "list" | "listTrash" | "get" | "getOptions" | "listProjects" | "listBranches"
  >;
  readonly prompts: Pick<PromptService, "get">;
  readonly drafts: Pick<DraftService, "list">;
  readonly asks: Pick<AskService, "list" | "unaudited">;
  readonly history: HistoryReader;
  readonly folders: Pick<FolderService, "list" | "findFiles" | "findFilesBelow" | "listAllowed">;
  readonly changes: Pick<
    ChangesService,
    | "list"
    | "readDiff"
    | "readRepository"
    | "readRemote"
    | "readPullRequest"
    | "listWorktrees"
    | "listEntries"
    | "readFile"
    | "searchFiles"
  >;
  readonly search: SearchService;
  readonly trust: Pick<TrustService, "listDecisions" | "inspectFolder" | "inspectSession">;
  readonly settings: Pick<SettingsService, "listAgents" | "getEnvironments" | "getSessionDefaults">;
  readonly projectOptions: Pick<ProjectOptionsService, "list">;
  readonly embeddingOrigins: Pick<EmbeddingOrigins, "list">;
  readonly relaySetting: Pick<RelaySetting, "isOn">;
  readonly housekeeping: Pick<Housekeeping, "settings">;
  readonly imports: Pick<ImportService, "getStatus">;
  readonly exports: ExportService;
  readonly runners: Pick<RunnerRegistry, "list">;
  readonly clients: Pick<LiveClients, "getFigures">;
  readonly terminals: Pick<TerminalService, "list">;
}

/** Opens the engine on a store. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { store, ownRunner, relayRunner, pairedRunners = () => [], log = () => {} } = options;
  const { clocks = systemClocks } = options;
  const changes = new BoardChanges();
  const rawFeed = new RawFeed();
  const liveTexts = new LiveTextScheduler();
  const links = new RunnerLinks(options.startsRunner ? ownRunner : undefined);
  const sessions = new Sessions(options.maxSessions);
  const machines = new Machines({
    links,
    ownRunner,
    relayRunner,
    listPaired: pairedRunners,
    countRuns: (runner) => sessions.listByRunner(runner).filter(({ alive }) => alive).length,
  });
  const drivers = new DriverCatalog(links);
  const settings = new Settings(store, drivers, options.agents);
  const allowed = new AllowedFolders({
    store,
    ownRunner,
    relayRunner,
    ...(options.roots && { initial: options.roots }),
    getHome: (runner) => links.get(runner)?.home,
    // The folder of an imported session is what its transcript says, and an agent can write transcripts.
    listRows: () =>
      sessions.list().flatMap(({ row, transcript }) => (transcript?.isImported ? [] : [row])),
  });
  const embeddingOrigins = new EmbeddingOrigins(store);
  const trustRegistry = new TrustRegistry(store);
  const askRegistry = new AskRegistry(store, changes);
  const storedOrders = new StoredOrders();
  const transcripts = new TranscriptRegistry(() => clocks.now(), options.importTimes?.takeoverMs);
  await transcripts.load(store);
  const older = new OlderSessions(sessions, changes);
  const dialStates = new DialStates(relayRunner !== undefined, changes);
  const deps: SessionDeps = {
    store,
    changes,
    asks: askRegistry,
    storedOrders,
    trust: trustRegistry,
    transcripts,
    rawFeed,
    recorder: options.recorder,
    liveTexts,
    clocks,
    findLink: (runner) => links.get(runner),
    getFence: (runner) => links.getFence(runner),
    getAgent: (name) => settings.agent(name),
    getEnvironment: (name) => settings.environment(name),
    getSessionDefaults: () => settings.sessionDefaults,
    listAllowedFolders: (runner) => allowed.list(runner),
    promptSeals: options.promptSeals,
    observer: options.observer,
    getDialState: (row) => dialStates.get(row),
    log,
  };

  const unconfirmed: string[] = [];
  unconfirmed.push(...(await settings.load(options.settingsCheck)));
  unconfirmed.push(...(await allowed.load(options.settingsCheck)));
  unconfirmed.push(...(await embeddingOrigins.load(options.settingsCheck)));
  const relaySetting =
    options.relaySetting ?? (await RelaySetting.load(store, options.settingsCheck));
  unconfirmed.push(...relaySetting.refused);
  const storedSessions = await store.storedSessions();
  const rows = storedSessions.map(({ row }) => row);
  const unaudited = await askRegistry.load(rows, options.knowsAsk ?? (() => true));
  await trustRegistry.load();
  const { permissions } = options;
  const adoptions = [permissions?.adopt(rows), permissions?.adoptOptions(rows)];
  const entries = adoptions.filter((entry) => entry !== undefined);
  if (entries.length > 0) await store.commit(entries).catch(() => {}); // the next start tries again
  const refusedPrompts = await sessions.load(deps, storedSessions, (stored) => {
    const checked = permissions?.check(stored);
    unconfirmed.push(...(checked?.problems ?? []));
    return checked?.row ?? stored;
  });
  for (const { id, session } of refusedPrompts) {
    unconfirmed.push(`the message ${id} to the agent of the session ${session}`);
  }
  await storedOrders.load(store, sessions.list(), permissions);

  const drafts = new DraftService(store, sessions);
  await drafts.load();
  const terminals = new TerminalService({ store, links, machines, sessions, changes });
  const folderWatches = new FolderWatchService({ links, sessions, allowed });
  const runners = new RunnerRegistry({
    store,
    links,
    machines,
    sessions,
    storedOrders,
    changes,
    terminals,
    folderWatches,
    listApprovers: options.approvers,
    onReady: () => imports.startConnected(),
  });
  const branches = new Branches({
    changes,
    // Agents that dial in work on machines which nobody can ask.
    findLink: (runner) => (runner === relayRunner ? undefined : links.get(runner)),
    listSessions: () => sessions.list(),
    listAllowedFolders: (runner) => allowed.list(runner),
  });
  const board = new Board(
    {
      listSessions: () =>
        sessions
          .listOutsideTrash()
          .filter((session) => !older.isHidden(session))
          .map(({ summary }) => summary),
      findSession: (id) => {
        const session = sessions.find(id);
        const isShown = session && !isTrashed(session) && !older.isHidden(session);
        return isShown ? session.summary : undefined;
      },
      listAsks: () => askRegistry.listOpen(),
      findAsk: (id) => askRegistry.find(id),
      listProjects: () =>
        branches.addTo(sessions.listProjects()).map((project) => {
          const count = older.count(project.runner, project.folder);
          return count > 0 ? { ...project, older: count } : project;
        }),
      listRunners: () => machines.list(),
      listTerminals: () => terminals.list(),
      getTrouble: () => (store.health.writable ? (options.trouble ?? null) : store.health.detail),
    },
    changes,
  );
  const clients = new LiveClients({
    board,
    store,
    terminals,
    folderWatches,
    findSession: (id) => {
      void imports.copyNow(id);
      return sessions.find(id);
    },
  });
  const folders = new FolderService({ machines, sessions, allowed, ownRunner, relayRunner });
  const changesService = new ChangesService({ store, machines, sessions, allowed, branches });
  const sessionFolders = new SessionFolders({ links, machines, allowed, ownRunner, relayRunner });
  const versions = new AgentVersions(machines);
  const projectOptions = new ProjectOptionsService({
    deps,
    drivers,
    folders: sessionFolders,
    ownRunner,
  });
  unconfirmed.push(...(await projectOptions.load(options.settingsCheck)));
  const runEnds = new RunEnds(store);
  const sessionService = new SessionService({
    deps,
    runEnds,
    sessions,
    branches,
    folders: sessionFolders,
    creation: new SessionCreation({
      deps,
      sessions,
      folders: sessionFolders,
      versions,
      drivers,
      projectOptions,
      ownRunner,
      relayRunner,
    }),
    optionChanges: new SessionOptionChanges({ deps, folders: sessionFolders, versions, drivers }),
    onTrashed: (id, by) => terminals.onSessionDeleted(id, by),
    onDeleted: (id, by) => {
      clients.onSessionDeleted(id);
      terminals.onSessionDeleted(id, by);
      drafts.onSessionDeleted(id);
      options.search?.onSessionDeleted(id);
    },
  });
  const switches = new SessionSwitches({
    runEnds,
    sessions,
    drivers,
    getAgentDriver: (agent) => settings.agent(agent).driver,
    log,
  });
  const stopSwitching = changes.subscribe({
    sessionChanged: (id) => switches.sessionChanged(id),
    askChanged: () => {},
    hubChanged: () => {},
  });
  const asks = new AskService({
    store,
    asks: askRegistry,
    sessions,
    needsSignature: (runner) => options.approvers !== undefined && runner !== relayRunner,
    unaudited,
  });
  const housekeeping = await Housekeeping.load({
    store,
    sessions,
    clocks,
    deleteSession: (id, by) => sessionService.delete(id, by),
    stopSession: (id, by) => sessionService.stop(id, by),
  });
  const imports = await ImportService.load({
    store,
    deps,
    links,
    machines,
    sessions,
    registry: transcripts,
    older,
    relayRunner,
    ...options.importTimes,
  });
  older.update();
  const { tickMs, parkMs } = options;
  const periodicTasks = new PeriodicTasks(
    {
      listSessions: () => sessions.list(),
      listAsks: () => askRegistry.listOpen(),
      mustParkNow: ({ link }) => runners.mustParkIdle(link),
      park: ({ id }) => sessionService.park(id, { name: "the hub" }),
      expire: (ask) => asks.expire(ask),
      endBypass: (session) => setPolicy(session, "default", undefined, { name: "the time limit" }),
      stopTrashed: () => housekeeping.stopTrashed(),
      tidy: () => housekeeping.tidy(),
    },
    clocks,
    { ...(tickMs !== undefined && { tickMs }), ...(parkMs !== undefined && { parkMs }) },
  );
  const stopIndexing = changes.subscribe({
    sessionChanged: (id) => options.search?.onSessionChanged(id),
    askChanged: () => {},
    hubChanged: () => {},
  });
  const stopHealthWatch = store.onHealth(({ writable }) => {
    changes.hubChanged();
    if (writable) for (const session of sessions.list()) void session.resumePending();
  });

  return {
    listUnconfirmed: () => [...unconfirmed, ...storedOrders.listUnconfirmed()],
    sessions: sessionService,
    switches,
    prompts: new PromptService(store, sessions),
    drafts,
    asks,
    history: new HistoryReader(store, sessions, machines, (id) => imports.copyNow(id)),
    folders,
    changes: changesService,
    search: new SearchService({
      sessions,
      machines,
      index: options.search,
      now: () => clocks.now(),
    }),
    trust: new TrustService({
      store,
      registry: trustRegistry,
      machines,
      folders,
      allowed,
      sessions,
      ownRunner,
    }),
    embeddingOrigins,
    relaySetting,
    housekeeping,
    imports,
    exports: new ExportService({
      store,
      sessions,
      copyNow: (id) => imports.copyNow(id),
      getHome: (runner) => links.get(runner)?.home,
    }),
    settings: new SettingsService(settings, versions),
    projectOptions,
    runners,
    terminals,
    clients,
    relaySessions: createRelaySessions(sessions, dialStates, rawFeed),
    async [Symbol.asyncDispose]() {
      periodicTasks.stop();
      imports.close();
      stopHealthWatch();
      stopIndexing();
      stopSwitching();
      liveTexts.stop();
      board.close();
      clients.close();
      const flushed = Promise.all(sessions.list().map((session) => session.flush()));
      await Promise.race([flushed, waitUntilUnwritable(store)]); // runners keep what cannot be stored
      for (const session of sessions.list()) session.close();
    },
  };
}

function waitUntilUnwritable(store: Store): Promise<void> {
  if (!store.health.writable) return Promise.resolve();
  return new Promise((resolve) => store.onHealth(({ writable }) => !writable && resolve()));
}
