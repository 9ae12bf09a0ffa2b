import { join, resolve } from "node:path";
import type { AgentSetting, Pairing } from "@signalbox/api";
import { HUB_DESCRIPTOR } from "@signalbox/api/constants";
import { AccessControl } from "./devices/access-control.ts";
import { systemClocks } from "./clocks.ts";
import { removeDescriptor, writeDescriptor } from "./devices/descriptor.ts";
import { readPrivateKey, storePromptSealing } from "./devices/identity.ts";
import { PromptSeals } from "./devices/prompt-seals.ts";
import type { HubExtension, HubServices, OpenExtension, PreparedExtension } from "./extension.ts";
import type { DeviceLimitValues } from "./http/device-limits.ts";
import { HttpServer } from "./http/http-server.ts";
import { handlers } from "./http/routes/index.ts";
import { DEFAULT_PORT, type ListenOptions } from "./http/listen-plan.ts";
import { listen, type HttpListener } from "./http/listen.ts";
import { openLogFile } from "./logging/log-file.ts";
import { type Logger, createLogger } from "./logging/logger.ts";
import { SessionRecorder } from "./logging/session-recorder.ts";
import { openPage } from "./http/page.ts";
import { SearchIndex } from "./search/search-index.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import { RelaySetting } from "./services/relay-setting.ts";
import { combineObservers, Counters } from "./metrics/counters.ts";
import { openTracing, type TracingOptions } from "./tracing/tracing.ts";
import { LocalRunner, loadOwnRunnerId } from "./local-runner.ts";
import { type Engine, type EngineOptions, openEngine } from "./engine.ts";

export interface HubOptions extends Partial<ListenOptions> {
  /** The data folder, which is created if it is missing. */
  readonly data: string;
  /** Starts with an empty database if the previous one is missing. */
  readonly newDatabase?: boolean;
  readonly version: string;
  /** Where traces of sessions go; undefined: none are made. */
  readonly tracing?: TracingOptions;
  /** The folder of the built page. */
  readonly page?: string;
  /**
   * The command that starts this machine's runner, without its `--data FOLDER`; "service": a service manager runs
   * it (`signalbox runner --service`), and the hub writes its start file; undefined: none is started.
   */
  readonly runner?: readonly string[] | "service";
  /**
   * The folders of this machine below which drivers, and so the command line, may start sessions. They
   * replace what was set before; without this, what was set stays, or the home folder is allowed.
   */
  readonly roots?: readonly string[];
  /** Agents that are offered in addition to Claude Code. */
  readonly agents?: readonly AgentSetting[];
  /** Ends the runner of a folder, so that one of the current version can take its place. */
  readonly stopRunner?: (folder: string) => Promise<unknown>;
  /** How long a runner that was started earlier is waited for. */
  readonly runnerWaitMs?: number;
  /** The hub's extensions, such as the relay. At most one of them may embed a runner. */
  readonly extensions?: readonly HubExtension[];
  readonly parkMs?: number;
  /** Limits of one device that differ from the defaults. */
  readonly limits?: Partial<DeviceLimitValues>;
  readonly tickMs?: number;
  readonly heartbeatMs?: number;
  /** The folder in which everything is recorded that sessions receive. Default: nothing is. */
  readonly record?: string;
  /** How Claude Code's own sessions are imported. Default: in the background. */
  readonly importTimes?: EngineOptions["importTimes"];
}

export interface RunningHub extends AsyncDisposable {
  /** The address for programs on this machine. */
  readonly url: string;
  /** The address that a person opens. */
  readonly publicUrl: string;
  readonly port: number;
  readonly engine: Engine;
  readonly log: Logger;
  /**
   * Makes a pairing code for the first admin, to be shown only in the hub's own terminal. Undefined: there is
   * an admin, or none could be stored.
   */
  firstPairing(): Pairing | undefined;
  /** Why nothing can be stored and what to do about it; undefined: the store works. */
  readonly trouble: string | undefined;
  stop(): Promise<void>;
}

/** Starts the hub. If a step fails, everything that was opened before it is closed again. */
export async function startHub(options: HubOptions): Promise<RunningHub> {
  const umask = process.umask(); // read before the data folder sets a stricter one
  const data = resolve(options.data);
  await using steps = new AsyncDisposableStack();
  const { newDatabase = false } = options;
  const store = steps.use(await openStore(data, { newDatabase, auditKey: readPrivateKey }));
  const log = steps.adopt(openHubLog(data, store), ({ close }) => close()).log;
  const access = await AccessControl.open(store, systemClocks, { folder: data, newDatabase });
  steps.defer(() => access.keepAuditHead());
  if (access.auditHead.problem !== undefined) {
    log.error("audit-cut-off", { text: access.auditHead.problem });
  }
  const own = await loadOwnRunnerId(store);
  const search = store.health.writable ? steps.use(openSearchIndex(data, store, log)) : undefined;
  const { parkMs, tickMs, heartbeatMs: beatMs, version } = options;
  const { settings: settingsCheck, permissions } = access.devices.audited;
  const relaySetting = await RelaySetting.load(store, settingsCheck);
  const extensionSettings = { isRelayOn: relaySetting.isOn() };
  const prepared = await Promise.all(
    (options.extensions ?? []).map((prepare) => prepare(store, extensionSettings)),
  );
  const relayRunner = findEmbeddedRunner(prepared);
  const tracing = await openTracing(options.tracing, version);
  if (tracing) steps.use(tracing);
  const counters = new Counters();
  const recorder =
    options.record === undefined ? undefined : new SessionRecorder(options.record, version);
  steps.defer(() => recorder?.close());
  const engine = steps.use(
    await openEngine({
      store,
      observer: combineObservers(counters, tracing),
      ownRunner: own,
      pairedRunners: () => access.devices.list().filter(({ role }) => role === "runner"),
      startsRunner: options.runner !== undefined,
      approvers: () => access.approvers(),
      ...(access.auditHead.problem !== undefined && { trouble: access.auditHead.problem }),
      permissions,
      settingsCheck,
      relaySetting,
      ...(search && { search }),
      promptSeals: openPromptSeals(access, data),
      knowsAsk: (...ask) => access.devices.audited.knowsAsk(...ask),
      ...(relayRunner !== undefined && { relayRunner }),
      ...(options.roots && { roots: options.roots }),
      ...(options.agents && { agents: options.agents }),
      log: (text) => log.info("engine", { text }),
      ...(recorder && { recorder }),
      ...(options.importTimes && { importTimes: options.importTimes }),
      ...(parkMs !== undefined && { parkMs }),
      ...(tickMs !== undefined && { tickMs }),
    }),
  );
  steps.defer(access.onApprovers(() => engine.runners.sendApprovers()));
  logUnauditedRows(access, engine, log);
  const extensions = await openExtensions(prepared, { engine, store, access, log, data }, steps);
  const httpServer = new HttpServer({
    handlers,
    extensions,
    engine,
    store,
    access,
    counters,
    runners: engine.runners,
    localRunner: () => own,
    page: await openPage(options.page),
    log,
    version,
    ...(beatMs !== undefined && { heartbeatMs: beatMs }),
    ...(options.limits && { limits: options.limits }),
  });
  const listening = steps.adopt(
    await listen(
      { privateFolder: data, ...options, port: options.port ?? DEFAULT_PORT },
      httpServer,
    ),
    (each) => each.close(),
  );
  if (store.health.writable) await writeDescriptor(data, listening.url, access, store);
  steps.defer(() => removeDescriptor(data));
  if (options.runner && store.health.writable) {
    steps.use(
      new LocalRunner({
        access,
        log,
        id: own,
        url: listening.url,
        descriptor: join(data, HUB_DESCRIPTOR),
        folder: join(data, "runner"),
        command: options.runner,
        umask,
        isConnected: () => engine.runners.isConnected(own),
        isReplaceable: () => engine.runners.isReplaceable(own),
        ...(options.stopRunner && { stopRunner: options.stopRunner }),
        ...(options.runnerWaitMs !== undefined && { waitMs: options.runnerWaitMs }),
      }),
    );
  }
  await access.keepAuditHead();
  log.info("started", { url: listening.url, version });
  return runningHub(steps.move(), listening, engine, access, store, log);
}

function openSearchIndex(folder: string, { epoch }: Store, log: Logger): SearchIndex {
  return new SearchIndex({ folder, epoch, log: (text) => log.error("search", { text }) });
}

function openPromptSeals({ identity }: AccessControl, data: string): PromptSeals {
  const { key, sealsPrompts } = identity;
  return new PromptSeals(key.pkcs8, sealsPrompts ? undefined : () => storePromptSealing(data));
}

/** Opens the extensions. Each is closed with the hub, the last one first. */
async function openExtensions(
  prepared: readonly PreparedExtension[],
  services: HubServices,
  steps: AsyncDisposableStack,
): Promise<OpenExtension[]> {
  const opened: OpenExtension[] = [];
  for (const each of prepared) opened.push(steps.use(await each.open(services)));
  return opened;
}

function findEmbeddedRunner(prepared: readonly PreparedExtension[]): string | undefined {
  const [runner, ...others] = prepared.flatMap(({ embeddedRunner }) => embeddedRunner ?? []);
  if (others.length > 0) throw new Error("Only one extension of a hub can embed a runner.");
  return runner;
}

function runningHub(
  steps: AsyncDisposableStack,
  { url, publicUrl, port }: HttpListener,
  engine: Engine,
  access: AccessControl,
  store: Store,
  log: Logger,
): RunningHub {
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= steps.disposeAsync());
  return {
    url,
    publicUrl,
    port,
    engine,
    log,
    firstPairing: () =>
      access.devices.has("admin") || !store.health.writable
        ? undefined
        : access.inviteFirst(publicUrl),
    get trouble() {
      return store.health.writable ? access.auditHead.problem : store.health.detail;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Logs rows of the database that the hub did not write. They have no effect. */
function logUnauditedRows(
  { devices }: AccessControl,
  { asks, listUnconfirmed }: Engine,
  log: Logger,
): void {
  for (const { id, name, role } of devices.unauditedRows)
    log.error("device-not-audited", { id, name, role });
  for (const what of listUnconfirmed()) log.error("permission-not-audited", { what });
  for (const id of asks.unaudited) log.error("ask-not-audited", { id });
  for (const { nth, what } of devices.audited.forged)
    log.error("audit-entry-not-ours", { nth, what });
}

/** Opens the hub's log. While the disk cannot be written there is no log either. */
function openHubLog(data: string, store: Store): { log: Logger; close: () => void } {
  if (!store.health.writable) return { log: createLogger(() => {}), close: () => {} };
  const file = openLogFile(join(data, "hub.log"));
  return { log: createLogger((line) => file.write(line)), close: () => file.close() };
}
