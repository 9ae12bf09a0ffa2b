import type { Driver } from "@signalbox/host";
import type { Launch } from "@signalbox/host";
import { policies, type Policy } from "@signalbox/host";
import type { Isolation } from "@signalbox/host/isolation";
import {
  type FolderOrder,
  type FrameToHubOfType,
  isFolderOrder,
  type Order,
  type OrderOfKind,
} from "@signalbox/api/link";
import type { LineBuffer } from "../link/line-buffer.ts";
import type { AgentTerminals } from "./agent-terminals.ts";
import { AgentSearch } from "./agent-search.ts";
import { resolveAllowedFolder } from "./allowed-folders.ts";
import type { Approvers } from "./approvers.ts";
import { requireConfigFolder } from "./config-folder.ts";
import { findFiles } from "./find-files.ts";
import { listFolder } from "./folders.ts";
import { getConversation, LiveRun } from "./live-run.ts";
import { CommandDeduplicator } from "./command-deduplicator.ts";
import { readOutput } from "./read-output.ts";
import { toProblem, OrderError } from "./order-error.ts";
import { refuseUnattended } from "./unattended-orders.ts";
import { WorkQueue } from "./work-queue.ts";
import { readBranch } from "./branch.ts";
import { makeWorktree } from "./worktree.ts";
import { TrustStore } from "../trust/trust-store.ts";
import { FolderOrders } from "./folder-orders.ts";

interface SupervisorOptions {
  /** The drivers by name, as orders use it. */
  readonly drivers: Pick<ReadonlyMap<string, Driver>, "get">;
  readonly buffer: LineBuffer;
  /** The source of the agents' allow-listed environment. */
  readonly inheritFrom?: Readonly<Record<string, string | undefined>>;
  /** The approvers who have to sign decisions. Without it, decisions of the hub need no signature. */
  readonly approvers?: Approvers;
  /** How programs are isolated that are asked for their version; without it they are not. */
  readonly isolation?: Isolation;
  /** The id of this runner, as signatures name it. */
  readonly runner?: string;
  /** The file that stores trusted folders. Without it, trust is lost when this process ends. */
  readonly trustFile?: string;
  /** The terminals of this machine. */
  readonly terminals?: TerminalOrderHandler;
  readonly changes?: FolderOrderHandler;
}
/** The files and repositories of folders, as orders use them. */
interface FolderOrderHandler {
  execute(order: FolderOrder, trust: FolderTrust): Promise<unknown>;
}
interface FolderTrust {
  isTrusted(folder: string): Promise<boolean>;
}
/** The terminals of this machine, as orders use them. */
interface TerminalOrderHandler extends AgentTerminals {
  openShell(order: OrderOfKind<"open-shell">): Promise<void>;
  rename(terminal: string, name: string): void;
  close(terminal: string): Promise<void>;
}
type OrderResult = Pick<FrameToHubOfType<"done">, "result" | "problem">;

/** Orders that look into folders. Everybody who may look causes them, and each may start many programs of Git. */
const folderReads: ReadonlySet<Order["kind"]> = new Set([
  "list-changes",
  "read-diff",
  "read-repository",
  "read-remote",
  "read-pull-request",
  "list-worktrees",
  "list-entries",
  "read-file",
  "search-files",
  "find-files",
  "read-branch",
  "scan-folder",
]);
const MAX_FOLDER_READS = 3;
const MAX_WAITING_READS = 100;

/** Carries out the orders of the hub and owns the runs that they start. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #runs = new Map<string, LiveRun>();
  readonly #orders = new CommandDeduplicator<OrderResult>();
  /** Prompts that were delivered before this process started, by run. */
  readonly #deliveredPrompts = new Map<string, ReadonlySet<string>>();
  readonly #trust: TrustStore;
  readonly #folders: FolderOrders;
  readonly #agents: AgentSearch;
  readonly #folderReads = new WorkQueue<unknown>({
    maxRunning: MAX_FOLDER_READS,
    maxWaiting: MAX_WAITING_READS,
  });
  #closing = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#trust = new TrustStore(options.trustFile);
    this.#agents = new AgentSearch(options.inheritFrom ?? process.env, options.isolation);
    this.#folders = new FolderOrders({
      store: this.#trust,
      runner: options.runner ?? "",
      approvers: options.approvers,
      environment: options.inheritFrom ?? process.env,
    });
  }

  /** The runs that are running or starting. */
  get runs(): { session: string; run: string }[] {
    return [...this.#runs.values()].map(({ session, id }) => ({ session, run: id }));
  }

  /**
   * Carries out an order. Never rejects. An order with a known id is not repeated and has the same result; results
   * of orders that only look into folders are large, and are not kept.
   */
  execute(id: string, order: Order): Promise<OrderResult> {
    if (!folderReads.has(order.kind)) {
      return this.#orders.run(id, () => toResult(this.#execute(order)));
    }
    const read = () => this.#execute(order);
    return toResult(this.#folderReads.run(JSON.stringify(order), read));
  }

  /** Continues a run of an earlier process. Prompts that were delivered then are not delivered again. */
  resumeRun(order: OrderOfKind<"start">, deliveredPrompts: Iterable<string>): void {
    this.#deliveredPrompts.set(order.run, new Set(deliveredPrompts));
    void this.execute(order.run, order);
  }

  /** Stops every run step by step and starts no more. */
  async stop(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#runs.values()].map((run) => run.stop("ended")));
  }

  async #execute(order: Order): Promise<unknown> {
    if (this.#options.approvers) refuseUnattended(order);
    if (isFolderOrder(order)) return this.#changes.execute(order, this.#folders);
    switch (order.kind) {
      case "start":
        return this.#start(order);
      case "prompt":
        return this.#prompt(order);
      case "decide":
        return this.#getRun(order).decide(order);
      case "request":
        return (await this.#getRun(order).started).request(order.subtype, order.fields);
      case "policy":
        return (await this.#getRun(order).started).setPolicy(parsePolicy(order.policy));
      case "stop":
        return this.#getRun(order).stop(order.park ? "parked" : "ended");
      case "find-agent":
        return this.#agents.find(order.path);
      case "list-folder":
        return listFolder(order.path, order.allowed);
      case "find-files":
        if (order.allowed) resolveAllowedFolder(order.folder, order.allowed);
        return findFiles(order.folder, order.query);
      case "make-worktree":
        return makeWorktree(order.folder, order.branch, order.allowed);
      case "read-branch":
        return readBranch(order.folder, order.allowed);
      case "scan-folder":
        return this.#folders.scan(order);
      case "trust-folder":
        return this.#folders.trust(order);
      case "distrust-folder":
        return this.#folders.distrust(order);
      case "open-shell":
        return this.#terminals.openShell(order);
      case "rename-terminal":
        return this.#terminals.rename(order.terminal, order.name);
      case "close-terminal":
        return this.#terminals.close(order.terminal);
      case "read-output":
        return readOutput(order.path);
      case "list-transcripts":
      case "read-transcript":
        throw new OrderError("no-transcripts", "This runner does not read transcripts.");
      default:
        return order satisfies never;
    }
  }

  get #changes(): FolderOrderHandler {
    if (this.#options.changes) return this.#options.changes;
    throw new OrderError("no-changes", "This runner does not look at changes of folders.");
  }

  get #terminals(): TerminalOrderHandler {
    if (this.#closing)
      throw new OrderError("closing", "This runner is stopping. Try again in a moment.");
    if (this.#options.terminals) return this.#options.terminals;
    throw new OrderError("no-terminals", "This runner has no terminals.");
  }

  async #prompt(order: OrderOfKind<"prompt">): Promise<{ uuid: string }> {
    const run = this.#getRun(order);
    return this.#deliveredPrompts.get(order.run)?.has(order.uuid)
      ? { uuid: order.uuid }
      : run.prompt(order);
  }

  async #start(order: OrderOfKind<"start">): Promise<void> {
    const { drivers, buffer, inheritFrom } = this.#options;
    const { session } = order;
    const launch: Launch = {
      ...(order.allowed ? resolveAllowedLaunch(order.launch, order.allowed) : order.launch),
      ...(inheritFrom && { inheritFrom }),
      runRef: { session, run: order.run },
    };
    parsePolicy(order.policy);
    const driver = drivers.get(order.driver);
    if (!driver) {
      throw new OrderError("no-such-driver", `This runner has no driver "${order.driver}".`);
    }
    if (this.#closing)
      throw new OrderError("closing", "This runner is stopping. Try again in a moment.");
    if (this.#runs.has(session)) {
      throw new OrderError("already-running", "This session is already running.");
    }
    this.#requireConversationFree(getConversation(launch));
    requireConfigFolder(launch);
    const log = buffer.open(session, order.run, order.after);
    const run = new LiveRun(order, driver, launch, log, {
      trust: this.#trust,
      approvers: this.#options.approvers,
      terminals: this.#options.terminals,
    });
    this.#runs.set(session, run);
    const ended = this.#removeWhenOver(run);
    try {
      await run.started;
    } catch (failure) {
      await ended; // so that the session can be started again at once
      throw failure;
    }
  }

  async #removeWhenOver(run: LiveRun): Promise<void> {
    await run.ended;
    this.#runs.delete(run.session);
    this.#deliveredPrompts.delete(run.id);
    this.#options.buffer.closeRun(run.session);
  }

  /** Rejects a second agent on a conversation, because two agents would corrupt it. */
  #requireConversationFree(conversation: string | undefined): void {
    if (conversation === undefined) return;
    for (const run of this.#runs.values()) {
      if (run.conversation !== conversation) continue;
      throw new OrderError("already-running", "Another session is using this conversation.");
    }
  }

  #getRun({ session, run }: { session: string; run: string }): LiveRun {
    const found = this.#runs.get(session);
    if (found?.id === run) return found;
    throw new OrderError("not-running", "This run has ended.");
  }
}

async function toResult(work: Promise<unknown>): Promise<OrderResult> {
  try {
    const result = await work;
    return result === undefined ? {} : { result };
  } catch (failure) {
    return { problem: toProblem(failure) };
  }
}

/** Returns the launch with real paths. Throws if one of its folders is not allowed. */
function resolveAllowedLaunch(launch: Launch, allowed: readonly string[]): Launch {
  const { folder, addDirs } = launch;
  return {
    ...launch,
    folder: resolveAllowedFolder(folder, allowed),
    ...(addDirs && { addDirs: addDirs.map((extra) => resolveAllowedFolder(extra, allowed)) }),
  };
}

function parsePolicy(name: string): Policy {
  if (Object.hasOwn(policies, name)) return name as Policy;
  throw new OrderError("no-such-policy", `There is no policy "${name}".`);
}
