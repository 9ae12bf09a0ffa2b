import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { homedir, hostname } from "node:os";
import { deferred } from "@signalbox/protocol";
import { delayWhileAwake } from "@signalbox/host/system";
import type { Driver } from "@signalbox/host";
import { sdkDriver } from "@signalbox/host";
import { sdkUrlDriver } from "@signalbox/host";
import { stdioDriver } from "@signalbox/host";
import { type FolderList, Isolation, resolveFolders } from "@signalbox/host/isolation";
import type { FrameToHubOfType } from "@signalbox/api/link";
import { isolateGit } from "@signalbox/host/git";
import { LineBuffer } from "./link/line-buffer.ts";
import { Link, type LinkOptions } from "./link/link.ts";
import type { BufferLimits } from "./link/session-buffer.ts";
import { requireBun } from "@signalbox/host/system";
import { endOrphans } from "./orphans.ts";
import { createOwnerMarker } from "./owner.ts";
import { AgentPackages, withInstalledPackages } from "./supervise/agent-package.ts";
import { Approvers } from "./supervise/approvers.ts";
import { Supervisor } from "./supervise/supervisor.ts";

const FAREWELL_MS = 3000;
/** A runner without agents ends after this time without its hub: the next hub starts another. */
const IDLE_MS = 10_000;
/** One that still holds lines which the hub has not stored waits longer; then they stay on the disk. */
const UNDELIVERED_MS = 10 * 60_000;
const LOOK_MS = 1000;

export interface RunnerOptions {
  /** Finds the hub and lets it prove itself, before each attempt: see `findOwnHub`. */
  readonly hub: LinkOptions["hub"];
  readonly key: LinkOptions["key"];
  /** Decisions need a person's signature; without it the hub's word is enough, as where a test is the hub. */
  readonly verifyDecisions?: boolean;
  /** Under which the hub knows this runner. */
  readonly runner: string;
  /** Where lines wait that the hub has not stored. */
  readonly dataFolder: string;
  /** Folders of Signalbox's beside `dataFolder` that no agent may see, such as the hub's. */
  readonly hide?: FolderList;
  /** A hub on this machine started it: it ends by itself when that hub stays away. */
  readonly own: boolean;
  readonly machine?: string;
  /** By name; those of `driverNames` unless said otherwise. */
  readonly drivers?: (owner: string, isolation: Isolation) => Readonly<Record<string, Driver>>;
  /** Where the agents' allow-listed environment is read from: this process's, unless said otherwise. */
  readonly inheritFrom?: Readonly<Record<string, string | undefined>>;
  readonly onTrouble?: (sentence: string) => void;
  readonly limits?: BufferLimits;
  /** How long a hub's own runner waits for its hub while it has neither agents nor undelivered lines. */
  readonly idleMs?: number;
  /** How long it waits while it has no agents, but lines that the hub has not stored. */
  readonly undeliveredMs?: number;
}

export interface Runner extends AsyncDisposable {
  /** Of this process of the runner's. */
  readonly process: string;
  /** Settles when the runner is over, with the reason. */
  readonly closed: Promise<string>;
  /** Ends all agents by the ladder, delivers or keeps what they said, and ends. */
  stop(why?: string): Promise<void>;
}

/**
 * Starts the runner of this machine: takes the data folder, ends what a runner before it left behind,
 * and dials the hub. Rejects with `FOLDER_IN_USE` when another runner has the folder.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  requireBun("The runner");
  mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
  const dataFolder = realpathSync(options.dataFolder);
  chmodSync(dataFolder, 0o700);
  // Loaded here alone: drivers and `Host` of this package run on Node, which has no `bun:sqlite`.
  const { lockRunnerFolder } = await import("./lock.ts");
  const lock = lockRunnerFolder(dataFolder);
  try {
    await endOrphans(dataFolder); // first: never two agents on one conversation
    return launchRunner(options, dataFolder, lock);
  } catch (failure) {
    lock[Symbol.dispose]();
    throw failure;
  }
}

function launchRunner(options: RunnerOptions, dataFolder: string, lock: Disposable): Runner {
  const { hub, key, runner, own, inheritFrom, onTrouble } = options;
  const approvers = (options.verifyDecisions ?? true) ? new Approvers() : undefined;
  const machine = options.machine ?? hostname();
  const processId = crypto.randomUUID();
  const owner = createOwnerMarker(dataFolder);
  const packages = new AgentPackages(dataFolder);
  const hide = () => [dataFolder, ...resolveFolders(options.hide ?? [])];
  const isolation = new Isolation({ hide, readable: [packages.folder] });
  isolateGit(hide);
  const drivers = options.drivers?.(owner, isolation) ?? {
    stdio: withInstalledPackages(stdioDriver({ owner, isolation }), packages),
    sdk: withInstalledPackages(sdkDriver({ owner, isolation }), packages),
    "sdk-url": withInstalledPackages(sdkUrlDriver({ owner, isolation }), packages),
  };
  const ledger = new LineBuffer(dataFolder, options.limits);
  ledger.recoverCrashedRuns();
  const supervisor = new Supervisor({
    drivers,
    buffer: ledger,
    ...(inheritFrom && { inheritFrom }),
    ...(approvers && { approvers }),
    runner,
    trustFile: join(dataFolder, "trust.json"),
  });
  const link = new Link({
    hub,
    key,
    isLocal: own,
    ...(approvers && { onApprovers: (keys) => approvers.set(keys) }),
    buffer: ledger,
    hello: () => ({
      runner,
      machine,
      ...readHomeFolder(),
      process: processId,
      runs: listRuns(supervisor, ledger),
    }),
    onOrder: (id, order) => {
      void supervisor
        .execute(id, order)
        .then((outcome) => link.report({ type: "done", id, ...outcome }));
    },
    ...(onTrouble && { onTrouble }),
  });
  const closed = deferred<string>();
  const over = new AbortController();
  let stopping: Promise<void> | undefined;
  const stop = (why = "The runner was stopped.") =>
    (stopping ??= (async () => {
      over.abort();
      await supervisor.stop();
      await Promise.race([
        ledger.waitUntilDelivered(),
        delayWhileAwake(link.isConnected ? FAREWELL_MS : 0),
      ]);
      await link.stop();
      ledger.close();
      lock[Symbol.dispose]();
      closed.resolve(why);
    })());
  link.start();
  if (own) {
    const withoutAgents = () => !link.isConnected && supervisor.runs.length === 0;
    const idle = () => withoutAgents() && ledger.isEmpty;
    const { idleMs = IDLE_MS, undeliveredMs = UNDELIVERED_MS } = options;
    void Promise.race([
      waitUntilStable(idle, idleMs, over.signal),
      waitUntilStable(withoutAgents, undeliveredMs, over.signal),
    ]).then(
      () => stop("The hub is away, and there was nothing to do."),
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

/** The home of the user who runs this, as it really is; a user may have none. */
function readHomeFolder(): { home?: string } {
  try {
    return { home: realpathSync(homedir()) };
  } catch {
    return {};
  }
}

/** The runs that live, and those that are over and have lines which the hub has not stored. */
function listRuns(supervisor: Supervisor, ledger: LineBuffer): FrameToHubOfType<"hello">["runs"] {
  const living = supervisor.runs.map(({ session, run }) => {
    return { session, run, alive: true, next: ledger.getNext(session) ?? 1 };
  });
  const ids = new Set(living.map(({ run }) => run));
  const dead = ledger.pendingRuns.filter(({ run }) => !ids.has(run));
  return [
    ...living,
    ...dead.map(({ session, run, next }) => ({ session, run, alive: false, next })),
  ];
}

/** Settles when something has been so for a time in which this process was awake. */
async function waitUntilStable(is: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
  for (let lasted = 0; lasted < ms;) {
    const step = Math.min(LOOK_MS, ms - lasted);
    await delayWhileAwake(step, signal);
    lasted = is() ? lasted + step : 0;
  }
}

/** Ends the runner when this process is asked to end. */
export function stopOnSignals(runner: Runner): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // Not once: a launcher passes on the Ctrl-C that the terminal has sent to both.
    process.on(signal, () => void runner.stop(`The runner was ended by ${signal}.`));
  }
}
