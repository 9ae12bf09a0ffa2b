import type { Driver } from "@signalbox/host";
import type { Launch } from "@signalbox/host";
import { lookForAgent } from "@signalbox/host/agents";
import { policies, type Policy } from "@signalbox/host";
import type { Order, OrderOf, ToHubOf } from "@signalbox/api/link";
import type { Ledger } from "../link/ledger.ts";
import { requireAllowed } from "./allowed-folders.ts";
import type { Approvers } from "./approvers.ts";
import { findFiles } from "./find-files.ts";
import { listFolder } from "./folders.ts";
import { getConversation, LiveRun } from "./live-run.ts";
import { CommandDeduplicator } from "./command-deduplicator.ts";
import { readOutput } from "./read-output.ts";
import { toProblem, OrderRefused } from "./order-refused.ts";
import { makeWorktree } from "./worktree.ts";
import { TrustStore } from "../trust/trust-store.ts";
import { FolderOrders } from "./folder-orders.ts";

export interface SupervisorOptions {
  /** By the name under which an order asks for it. */
  readonly drivers: Readonly<Record<string, Driver>>;
  readonly ledger: Ledger;
  /** Where the agents' allow-listed environment is read from. */
  readonly inheritFrom?: Readonly<Record<string, string | undefined>>;
  /** Whose signatures decisions need; without it the hub's word is enough. */
  readonly approvers?: Approvers;
  /** Our own id, as signatures name it. */
  readonly runner?: string;
  /** Where is kept which folders' own code is trusted; without it nothing is trusted for longer than this process lives. */
  readonly trustFile?: string;
}
export type Outcome = Pick<ToHubOf<"done">, "result" | "problem">;

/** Carries out the hub's orders, and owns the runs that come of them. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #runs = new Map<string, LiveRun>();
  readonly #orders = new CommandDeduplicator<Outcome>();
  /** Messages that a run's agent had before this process was, by run. */
  readonly #given = new Map<string, ReadonlySet<string>>();
  readonly #trust: TrustStore;
  readonly #folders: FolderOrders;
  #closing = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#trust = new TrustStore(options.trustFile);
    this.#folders = new FolderOrders({
      store: this.#trust,
      runner: options.runner ?? "",
      approvers: options.approvers,
      environment: options.inheritFrom ?? process.env,
    });
  }

  /** The runs that live, or are about to. */
  get runs(): { session: string; run: string }[] {
    return [...this.#runs.values()].map(({ session, id }) => ({ session, run: id }));
  }

  /** Never rejects. The same id again is not carried out again, and answered the same. */
  execute(id: string, order: Order): Promise<Outcome> {
    return this.#orders.do(id, async () => {
      try {
        const result = await this.#do(order);
        return result === undefined ? {} : { result };
      } catch (failure) {
        return { problem: toProblem(failure) };
      }
    });
  }

  /** A run goes on from an earlier life of ours: what its agent was given then is not given again. */
  resumePending(order: OrderOf<"start">, given: Iterable<string>): void {
    this.#given.set(order.run, new Set(given));
    void this.execute(order.run, order);
  }

  /** Ends every run by the ladder, and lets none begin. */
  async stop(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#runs.values()].map((run) => run.stop("ended")));
  }

  async #do(order: Order): Promise<unknown> {
    switch (order.kind) {
      case "start":
        return this.#start(order);
      case "prompt":
        return this.#prompt(order);
      case "decide":
        return this.#run(order).decide(order);
      case "request":
        return (await this.#run(order).started).request(order.subtype, order.fields);
      case "policy":
        return (await this.#run(order).started).setPolicy(parsePolicy(order.policy));
      case "stop":
        return this.#run(order).stop(order.park ? "parked" : "ended");
      case "find-agent":
        return lookForAgent(order.path, this.#options.inheritFrom ?? process.env);
      case "list-folder":
        return listFolder(order.path, order.allowed);
      case "find-files":
        if (order.allowed) requireAllowed(order.folder, order.allowed);
        return findFiles(order.folder, order.query);
      case "make-worktree":
        return makeWorktree(order.folder, order.branch, order.allowed);
      case "scan-folder":
        return this.#folders.scan(order);
      case "trust-folder":
        return this.#folders.trust(order);
      case "distrust-folder":
        return this.#folders.distrust(order);
      case "read-output":
        return readOutput(order.path);
      default:
        return order satisfies never;
    }
  }

  async #prompt(order: OrderOf<"prompt">): Promise<{ uuid: string }> {
    const run = this.#run(order);
    return this.#given.get(order.run)?.has(order.uuid) ? { uuid: order.uuid } : run.prompt(order);
  }

  async #start(order: OrderOf<"start">): Promise<void> {
    const { drivers, ledger, inheritFrom } = this.#options;
    const { session, run: of } = order;
    const launch: Launch = {
      ...(order.allowed ? withinAllowed(order.launch, order.allowed) : order.launch),
      ...(inheritFrom && { inheritFrom }),
      of: { session, run: of },
    };
    parsePolicy(order.policy);
    const driver = Object.hasOwn(drivers, order.driver) ? drivers[order.driver] : undefined;
    if (!driver) {
      throw new OrderRefused(
        "no-such-driver",
        `This runner has no driver called "${order.driver}".`,
      );
    }
    if (this.#closing)
      throw new OrderRefused("closing", "This runner is about to end. Try again soon.");
    if (this.#runs.has(session)) {
      throw new OrderRefused("already-running", "This session has a run that lives.");
    }
    this.#refuseSecondOf(getConversation(launch));
    const log = ledger.open(session, order.run, order.after);
    const run = new LiveRun(order, driver, launch, log, {
      trust: this.#trust,
      approvers: this.#options.approvers,
    });
    this.#runs.set(session, run);
    const over = this.#forgetWhenOver(run);
    try {
      await run.started;
    } catch (failure) {
      await over; // whoever hears of it may start again at once
      throw failure;
    }
  }

  async #forgetWhenOver(run: LiveRun): Promise<void> {
    await run.over;
    this.#runs.delete(run.session);
    this.#given.delete(run.id);
    this.#options.ledger.finish(run.session);
  }

  /** Two agents that write to one conversation would destroy it. */
  #refuseSecondOf(conversation: string | undefined): void {
    if (conversation === undefined) return;
    for (const run of this.#runs.values()) {
      if (run.conversation !== conversation) continue;
      throw new OrderRefused("already-running", "Another session has this conversation open.");
    }
  }

  #run({ session, run }: { session: string; run: string }): LiveRun {
    const found = this.#runs.get(session);
    if (found?.id === run) return found;
    throw new OrderRefused("not-running", "This run is over.");
  }
}

/** The launch with its folders as they really are; refused where one of them is not below the allowed. */
function withinAllowed(launch: Launch, allowed: readonly string[]): Launch {
  const { folder, addDirs } = launch;
  return {
    ...launch,
    folder: requireAllowed(folder, allowed),
    ...(addDirs && { addDirs: addDirs.map((extra) => requireAllowed(extra, allowed)) }),
  };
}

function parsePolicy(name: string): Policy {
  if (Object.hasOwn(policies, name)) return name as Policy;
  throw new OrderRefused("no-such-policy", `There is no policy called "${name}".`);
}
