import type { PolicyName, RunnerView } from "@signalbox/api";
import type { FrameToHubOfType, Order } from "@signalbox/api/link";
import type { StoredApproverKey } from "../devices/access-control.ts";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { Store } from "../store/store.ts";
import type { ReceivedLine } from "../link/received-line.ts";
import type { RunnerLinks } from "../link/runner-links.ts";
import { HubRefusal } from "../refusal.ts";
import type { Machines } from "./machines.ts";
import { onPolicyRefused } from "./policy.ts";
import type { StoredOrders } from "../session/stored-orders.ts";
import type { Sessions } from "../session/sessions.ts";
import type { FolderWatchService } from "./folder-watch-service.ts";
import type { TerminalService } from "./terminal-service.ts";
import { ChunkedLine } from "../link/chunked-line.ts";
import { type LinkListener, type LinkSocket, RunnerLink } from "../link/runner-link.ts";

/** Where runners connect after the HTTP server has authenticated them. */
export interface RunnerGateway {
  /**
   * Registers a runner that has connected. Returns the handlers for its frames and for the end of its
   * connection.
   */
  accept(
    device: { readonly id: string; readonly own: boolean },
    socket: LinkSocket,
  ): { receive(text: string): void; closed(): void };
  /** Drops a runner whose credential was revoked. */
  removeRunner(runner: string): void;
}

interface RunnerRegistryOptions {
  readonly store: Store;
  readonly links: RunnerLinks;
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly storedOrders: StoredOrders;
  readonly changes: BoardListener;
  readonly terminals: TerminalService;
  readonly folderWatches: FolderWatchService;
  /** The keys whose signed decisions runners carry out; undefined: runners are sent no keys. */
  readonly listApprovers: (() => readonly StoredApproverKey[]) | undefined;
  /** A runner is connected, and what the hub knows of it is as it should be. */
  readonly onReady: () => void;
}

/**
 * The connected runners. Passes their lines on to the sessions, and sends them the orders that wait for them.
 */
export class RunnerRegistry implements RunnerGateway, LinkListener {
  readonly #options: RunnerRegistryOptions;
  readonly #store: Store;
  readonly #links: RunnerLinks;
  readonly #sessions: Sessions;

  constructor(options: RunnerRegistryOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#links = options.links;
    this.#sessions = options.sessions;
  }

  /** The machines with their load, which the board leaves out: it would change for everybody all the time. */
  list(): RunnerView[] {
    return this.#options.machines.list().map((view) => {
      const load = this.#links.get(view.id)?.load;
      return load ? { ...view, load } : view;
    });
  }

  isConnected(runner: string): boolean {
    return this.#links.get(runner) !== undefined;
  }

  /** Whether a connected runner may be replaced: it is of the previous version and has no agents. */
  isReplaceable(runner: string): boolean {
    if (!this.#links.get(runner)?.isPreviousVersion) return false;
    return !this.#sessions.listByRunner(runner).some(({ alive }) => alive);
  }

  /**
   * Whether the idle agents of a runner must end at once because it is to be replaced. The hub replaces only
   * its own runner, and only while none of its agents is working.
   */
  mustParkIdle(link: RunnerLink | undefined): boolean {
    if (!link?.isPreviousVersion || !link.own) return false;
    return this.#sessions.listByRunner(link.runner).every(({ alive, idle }) => !alive || idle);
  }

  accept(device: { id: string; own: boolean }, socket: LinkSocket) {
    const link = new RunnerLink(device, socket, this);
    return {
      receive: (text: string) => link.receive(text),
      closed: () => link.onSocketClosed(),
    };
  }

  listApprovers(): readonly StoredApproverKey[] | undefined {
    return this.#options.listApprovers?.();
  }

  /** Sends all runners the approvers' keys after one was added or removed. */
  sendApprovers(): void {
    for (const link of this.#links.listOpen()) link.sendApprovers();
  }

  removeRunner(runner: string): void {
    this.#links.remove(runner);
    for (const session of this.#sessions.listByRunner(runner)) session.notifyChanged();
    this.#options.changes.hubChanged();
  }

  /**
   * Welcomes a runner and names the lines that are stored. A runner serves only its own sessions; its id is
   * the one of its credential.
   */
  async onHello(
    link: RunnerLink,
    hello: FrameToHubOfType<"hello">,
  ): Promise<Record<string, number>> {
    if (hello.runner !== link.device) throw new Error("the credential belongs to another runner");
    const { runner, process, generation } = hello;
    const fence = await this.#store.claim({ runner, process, generation });
    if (!fence) throw new Error("the runner has connected to another hub");
    this.#links.setFence(fence);
    const stored: Record<string, number> = {};
    const known = new Set<string>();
    for (const { session, run, alive } of hello.runs) {
      known.add(run);
      const found = this.#sessions.find(session);
      if (found && found.row.runner === link.runner) {
        stored[session] = (await found.loadIngest()).storedSeq;
      } else {
        // The session was deleted: this number tells the runner to forget all of its lines.
        stored[session] = Number.MAX_SAFE_INTEGER;
        if (alive) setTimeout(() => void stopUnknownRun(link, session, run));
      }
    }
    if (link.closed) return stored; // the runner may have been revoked while the store was read
    this.#links.add(link)?.close(4409, "the runner has connected anew");
    // This list is made before anything is awaited: runs that are started later are not in the runner's
    // hello.
    const expected = this.#sessions
      .listByRunner(link.runner)
      .flatMap(({ alive, row }) => (alive && row.run !== null ? [row.run] : []));
    const lost = new Set(expected.filter((run) => !known.has(run)));
    // This runs after the runner was welcomed. If the store cannot be read, the runner has to reconnect.
    const reconnect = () => link.close(1011, "what waits for the runner could not be read");
    setTimeout(() => void this.#reconcile(link, lost).catch(reconnect));
    return stored;
  }

  async #reconcile(link: RunnerLink, lost: ReadonlySet<string>): Promise<void> {
    this.#options.folderWatches.onConnected(link);
    for (const row of await this.#store.orders(link.runner)) {
      if (!this.#options.storedOrders.has(row)) continue;
      const order = JSON.parse(row.json) as Order;
      link.sendOrder(row.id, order).catch((why: unknown) => this.#onOrderRefused(order, why));
    }
    for (const session of this.#sessions.listByRunner(link.runner)) {
      if (!this.#links.isCurrent(link)) return;
      await session.reconcile(link, lost).catch(() => {});
      session.notifyChanged();
    }
    this.#options.changes.hubChanged();
    this.#options.onReady();
  }

  async #onOrderRefused(order: Order, why: unknown): Promise<void> {
    const isRefused = why instanceof HubRefusal && why.code === "bad-input";
    const session = order.kind === "policy" ? this.#sessions.find(order.session) : undefined;
    if (!isRefused || order.kind !== "policy" || session?.row.run !== order.run) return;
    await onPolicyRefused(session, order.policy as PolicyName).catch(() => {}); // the store says why it fails
  }

  /**
   * Stores lines. Lines of a session that was deleted or belongs to another runner are acknowledged without
   * being stored, so that the runner forgets them.
   */
  async onLines(
    link: RunnerLink,
    session: string,
    lines: readonly ReceivedLine[],
  ): Promise<boolean> {
    const found = this.#sessions.find(session);
    if (found && found.row.runner === link.runner) return found.receiveLines(lines);
    link.acknowledge(session, lines.at(-1)?.seq ?? 0);
    return true;
  }

  /** Receives a long line in chunks. The chunks of a line that is not wanted are discarded as they arrive. */
  startChunkedLine(link: RunnerLink, session: string, seq: number): ChunkedLine {
    const found = this.#sessions.find(session);
    const wanted = found?.row.runner === link.runner && !found.hasLine(seq);
    const target = { store: this.#store, getFence: () => this.#links.getFence(link.runner) };
    return new ChunkedLine(wanted ? target : undefined, session, seq);
  }

  /** A stored order was carried out, so it need not be sent again. */
  onOrderDone(link: RunnerLink, order: string): void {
    this.#options.storedOrders.remove(order);
    // The runner reports it again when it reconnects.
    const fence = this.#links.getFence(link.runner);
    void this.#store.commit([{ kind: "order-done", id: order }], fence).catch(() => {});
  }

  onTerminals(link: RunnerLink, { terminals }: FrameToHubOfType<"terminals">): void {
    if (this.#links.isCurrent(link)) this.#options.terminals.onTerminals(link, terminals);
  }

  onFolderChanged(link: RunnerLink, frame: FrameToHubOfType<"folder-changed">): void {
    if (this.#links.isCurrent(link)) this.#options.folderWatches.onChanged(link, frame);
  }

  onTerminalFrame(
    link: RunnerLink,
    frame: FrameToHubOfType<"terminal-snapshot" | "terminal-output" | "terminal-size">,
  ): void {
    if (this.#links.isCurrent(link)) this.#options.terminals.onFrame(link, frame);
  }

  onClosed(link: RunnerLink): void {
    if (!this.#links.isCurrent(link)) return;
    for (const session of this.#sessions.listByRunner(link.runner)) session.notifyChanged();
    this.#options.changes.hubChanged();
  }
}

async function stopUnknownRun(link: RunnerLink, session: string, run: string): Promise<void> {
  const order = { kind: "stop", session, run, park: false } as const;
  await link.sendOrder(`${run}.stop`, order).catch(() => {});
}
