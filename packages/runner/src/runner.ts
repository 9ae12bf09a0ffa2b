import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { homedir, hostname } from "node:os";
import { deferred } from "@signalbox/protocol/wire";
import { delayWhileAwake, requireBun } from "@signalbox/host/system";
import {
  type Driver,
  type DriverContext,
  sdkDriver,
  sdkUrlDriver,
  stdioDriver,
} from "@signalbox/host";
import { ptyDriver } from "@signalbox/host/pty-driver";
import { DriverRegistry, loadDrivers } from "@signalbox/host/launch";
import { type FolderList, Isolation, resolveFolders } from "@signalbox/host/isolation";
import type { FrameToHubOfType } from "@signalbox/api/link";
import { isolateGit } from "@signalbox/host/git";
import { LineBuffer } from "./link/line-buffer.ts";
import { HubLink, type HubLinkOptions } from "./link/hub-link.ts";
import { LoadReport } from "./link/load-report.ts";
import type { BufferLimits } from "./link/session-buffer.ts";
import { endOrphans } from "./orphans.ts";
import { createOwnerMarker } from "./owner.ts";
import { AgentPackages, withInstalledPackages } from "./supervise/agent-package.ts";
import { Approvers } from "./supervise/approvers.ts";
import { Supervisor } from "./supervise/supervisor.ts";
import { FolderChanges } from "./changes/changes.ts";
import { FolderWatches } from "./changes/folder-watches.ts";
import { Terminals } from "./terminals/terminals.ts";
import { isTranscriptOrder, Transcripts } from "./transcripts/transcripts.ts";

const FAREWELL_MS = 3000;
/** A runner without agents stops after this time without its hub. The next hub starts a new one. */
const IDLE_MS = 10_000;
/** A runner that has undelivered lines waits longer. After that the lines stay on the disk. */
const UNDELIVERED_MS = 10 * 60_000;
const LOOK_MS = 1000;

export interface RunnerOptions {
  /** Finds the hub and verifies its identity before each connection attempt: see `locateHub`. */
  readonly hub: HubLinkOptions["findHub"];
  readonly key: HubLinkOptions["key"];
  /** Whether decisions need the signature of a person. Tests turn it off when they act as the hub. */
  readonly verifyDecisions?: boolean;
  /** The id of this runner in the hub. */
  readonly runner: string;
  /** The folder for lines that the hub has not stored. */
  readonly dataFolder: string;
  /** Further folders of Signalbox that are hidden from agents, such as the data folder of the hub. */
  readonly hide?: FolderList;
  /** Whether a hub on this machine started the runner. Such a runner stops when its hub stays away. */
  readonly own: boolean;
  readonly machine?: string;
  /** The version of the program that runs the runner. */
  readonly version?: string;
  /** Creates the drivers. Defaults to all drivers of this package. */
  readonly drivers?: (context: DriverContext) => readonly Driver[];
  /** Modules of other packages that bring further drivers: see `CreateDriver`. */
  readonly driverModules?: readonly string[];
  /** The source of the agents' allow-listed environment. Defaults to the environment of this process. */
  readonly inheritFrom?: Readonly<Record<string, string | undefined>>;
  readonly onTrouble?: (sentence: string) => void;
  readonly limits?: BufferLimits;
  /** How long a runner that a hub started waits for its hub while it has neither agents nor undelivered lines. */
  readonly idleMs?: number;
  /** How long it waits while it has no agents but undelivered lines. */
  readonly undeliveredMs?: number;
}

export interface Runner extends AsyncDisposable {
  /** The id of this process of the runner. */
  readonly process: string;
  /** Resolves with the reason when the runner has stopped. */
  readonly closed: Promise<string>;
  /** Stops all agents step by step, delivers or keeps their lines, and stops the runner. */
  stop(why?: string): Promise<void>;
}

/**
 * Starts the runner of this machine: locks the data folder, stops processes that an earlier runner left behind,
 * and dials the hub. Rejects with `FOLDER_IN_USE` if another runner uses the folder.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  requireBun("The runner");
  mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
  const dataFolder = realpathSync(options.dataFolder);
  chmodSync(dataFolder, 0o700);
  // Loaded only here, because other modules of this package also run on Node, which has no `bun:sqlite`.
  const { lockRunnerFolder } = await import("./lock.ts");
  const lock = lockRunnerFolder(dataFolder);
  try {
    await endOrphans(dataFolder); // before anything starts, so that two agents never use one conversation
    return await launchRunner(options, dataFolder, lock);
  } catch (failure) {
    lock[Symbol.dispose]();
    throw failure;
  }
}

async function launchRunner(
  options: RunnerOptions,
  dataFolder: string,
  lock: Disposable,
): Promise<Runner> {
  const { hub, key, runner, own, inheritFrom, onTrouble } = options;
  const approvers = (options.verifyDecisions ?? true) ? new Approvers() : undefined;
  const machine = options.machine ?? hostname();
  const processId = crypto.randomUUID();
  const owner = createOwnerMarker(dataFolder);
  const hide = () => [dataFolder, ...resolveFolders(options.hide ?? [])];
  const packagesFolder = join(dataFolder, "agents");
  const isolation = new Isolation({ hide, readable: [packagesFolder] });
  const environment = inheritFrom ?? process.env;
  const packages = new AgentPackages(packagesFolder, { isolation, environment });
  isolateGit(hide);
  const context: DriverContext = { owner, isolation };
  const ownDrivers = options.drivers?.(context) ?? [
    stdioDriver(context),
    sdkDriver(context),
    sdkUrlDriver(context),
    ptyDriver(context),
  ];
  const otherDrivers = await loadDrivers(options.driverModules ?? [], context);
  const drivers = new DriverRegistry(
    [...ownDrivers, ...otherDrivers].map((driver) => withInstalledPackages(driver, packages)),
  );
  const buffer = new LineBuffer(dataFolder, options.limits);
  buffer.recoverCrashedRuns();
  const terminals = new Terminals({
    owner,
    runner,
    inheritFrom: environment,
    ...(approvers && { approvers }),
    send: (frame) => link.send(frame),
  });
  const supervisor = new Supervisor({
    drivers,
    terminals,
    changes: new FolderChanges({ revertsFolder: join(dataFolder, "reverts") }),
    isolation,
    buffer,
    ...(inheritFrom && { inheritFrom }),
    ...(approvers && { approvers }),
    runner,
    trustFile: join(dataFolder, "trust.json"),
  });
  const transcripts = new Transcripts({
    environment,
    send: (frame, lines) => link.send(frame, lines),
  });
  const folderWatches = new FolderWatches((frame) => link.send(frame));
  const loadReport = new LoadReport((frame) => link.send(frame));
  const link: HubLink = new HubLink({
    findHub: hub,
    key,
    isLocal: own,
    ...(approvers && { onApprovers: (keys) => approvers.set(keys) }),
    buffer,
    hello: () => ({
      runner,
      machine,
      ...readHomeFolder(),
      ...(options.version !== undefined && { program: options.version }),
      drivers: drivers.describe().map((driver) => ({
        ...driver,
        capabilities: { ...driver.capabilities },
      })),
      process: processId,
      runs: listRuns(supervisor, buffer),
    }),
    onOrder: (id, order) => {
      if (isTranscriptOrder(order)) {
        void transcripts.execute(id, order);
        return;
      }
      void supervisor
        .execute(id, order)
        .then((outcome) => link.report({ type: "done", id, ...outcome }));
    },
    onTerminalFrame: (frame) => terminals.receive(frame),
    onFolderFrame: (frame) => folderWatches.receive(frame),
    onConnected: () => {
      terminals.onConnected();
      loadReport.onConnected();
    },
    onDisconnected: () => {
      terminals.onDisconnected();
      folderWatches.closeAll();
      loadReport.onDisconnected();
    },
    ...(onTrouble && { onTrouble }),
  });
  const closed = deferred<string>();
  const stopped = new AbortController();
  let stopping: Promise<void> | undefined;
  const stop = (why = "The runner was stopped.") =>
    (stopping ??= (async () => {
      stopped.abort();
      folderWatches.closeAll();
      await Promise.all([supervisor.stop(), terminals.closeAll()]);
      await Promise.race([
        buffer.waitUntilDelivered(),
        delayWhileAwake(link.isConnected ? FAREWELL_MS : 0),
      ]);
      await link.stop();
      buffer.close();
      lock[Symbol.dispose]();
      closed.resolve(why);
    })());
  link.start();
  if (own) {
    const withoutAgents = () =>
      !link.isConnected && supervisor.runs.length === 0 && !terminals.areRunning;
    const idle = () => withoutAgents() && buffer.isEmpty;
    const { idleMs = IDLE_MS, undeliveredMs = UNDELIVERED_MS } = options;
    void Promise.race([
      waitUntilStable(idle, idleMs, stopped.signal),
      waitUntilStable(withoutAgents, undeliveredMs, stopped.signal),
    ]).then(
      () => stop("The hub is unreachable and no agents are running."),
      () => {},
    );
  }
  return {
    process: processId,
    closed: closed.promise,
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

/** The real path of the home folder of this user, if there is one. */
function readHomeFolder(): { home?: string } {
  try {
    return { home: realpathSync(homedir()) };
  } catch {
    return {};
  }
}

/** The running runs, and ended runs with lines that the hub has not stored. */
function listRuns(supervisor: Supervisor, buffer: LineBuffer): FrameToHubOfType<"hello">["runs"] {
  const running = supervisor.runs.map(({ session, run }) => {
    return { session, run, alive: true, next: buffer.getNext(session) ?? 1 };
  });
  const ids = new Set(running.map(({ run }) => run));
  const ended = buffer.pendingRuns.filter(({ run }) => !ids.has(run));
  return [
    ...running,
    ...ended.map(({ session, run, next }) => ({ session, run, alive: false, next })),
  ];
}

/** Resolves when a condition has held for this time, counting only time in which this process was awake. */
async function waitUntilStable(
  condition: () => boolean,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  for (let lasted = 0; lasted < ms;) {
    const step = Math.min(LOOK_MS, ms - lasted);
    await delayWhileAwake(step, signal);
    lasted = condition() ? lasted + step : 0;
  }
}

/** Stops the runner when this process is asked to end. */
export function stopOnSignals(runner: Runner): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // More than once: the launcher passes on the Ctrl-C that the terminal has sent to both.
    process.on(signal, () => void runner.stop(`The runner was stopped by ${signal}.`));
  }
}
