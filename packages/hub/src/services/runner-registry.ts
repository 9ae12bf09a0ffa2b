import type { RunnerView } from "@signalbox/api";
import type { FrameToHubOfType } from "@signalbox/api/link";
import type { ApproverKey } from "../devices/access-control.ts";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { Store } from "../store/store.ts";
import type { ReceivedLine } from "../link/received-line.ts";
import type { RunnerLinks } from "../link/runner-links.ts";
import type { Machines } from "./machines.ts";
import type { StoredOrders } from "../session/stored-orders.ts";
import type { Sessions } from "../session/sessions.ts";
import { ChunkedLine } from "../link/chunked-line.ts";
import { type LinkListener, type LinkSocket, RunnerLink } from "../link/runner-link.ts";

/** Where runners connect, once the HTTP server has let them in. */
export interface RunnerGateway {
  /** A runner has connected. Gives back what to do with its frames and with the end of its connection. */
  accept(
    device: { readonly id: string; readonly own: boolean },
    socket: LinkSocket,
  ): { receive(text: string): void; closed(): void };
  /** The runner's credential was revoked: it is no runner of this hub any more. */
  removeRunner(runner: string): void;
}

export interface RunnerRegistryOptions {
  readonly store: Store;
  readonly links: RunnerLinks;
  readonly machines: Machines;
  readonly sessions: Sessions;
  readonly storedOrders: StoredOrders;
  readonly changes: BoardListener;
  /** The keys whose decisions runners carry out; without it they are sent none. */
  readonly listApprovers: (() => readonly ApproverKey[]) | undefined;
}

/** The runners. Passes their lines on to the sessions, and sends them what waits for them. */
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

  list(): RunnerView[] {
    return this.#options.machines.list();
  }

  isConnected(runner: string): boolean {
    return this.#links.get(runner) !== undefined;
  }

  /** Whether a runner is connected, is of the previous version, and has no agents. */
  isReplaceable(runner: string): boolean {
    if (!this.#links.get(runner)?.isPreviousVersion) return false;
    return !this.#sessions.listByRunner(runner).some(({ alive }) => alive);
  }

  /**
   * Whether the idle agents of a runner have to end at once because it is to be replaced. The hub replaces its
   * own runner alone, and only while none of its agents is at work.
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

  listApprovers(): readonly ApproverKey[] | undefined {
    return this.#options.listApprovers?.();
  }

  /** Sends all runners the keys whose decisions count: one was added or removed. */
  sendApprovers(): void {
    for (const link of this.#links.listOpen()) link.sendApprovers();
  }

  removeRunner(runner: string): void {
    this.#links.remove(runner);
    for (const session of this.#sessions.listByRunner(runner)) session.notifyChanged();
    this.#options.changes.hubChanged();
  }

  /** A runner speaks for its own sessions alone: its id is that of its credential. */
  async onHello(
    link: RunnerLink,
    hello: FrameToHubOfType<"hello">,
  ): Promise<Record<string, number>> {
    if (hello.runner !== link.device) throw new Error("the credential belongs to another runner");
    const stored: Record<string, number> = {};
    const known = new Set<string>();
    for (const { session, run, alive } of hello.runs) {
      known.add(run);
      const found = this.#sessions.find(session);
      if (found && found.row.runner === link.runner) {
        stored[session] = (await found.loadIngest()).storedSeq;
      } else {
        stored[session] = Number.MAX_SAFE_INTEGER; // a session that was deleted: nothing of it is wanted
        if (alive) setTimeout(() => void stopUnknownRun(link, session, run));
      }
    }
    if (link.closed) return stored; // meanwhile: it may have been taken away
    this.#links.add(link)?.close(4409, "the runner has connected anew");
    // Runs that are started from now on are not expected in the runner's hello.
    const expected = this.#sessions
      .listByRunner(link.runner)
      .flatMap(({ alive, row }) => (alive && row.run !== null ? [row.run] : []));
    const lost = new Set(expected.filter((run) => !known.has(run)));
    // Once it has been welcomed. Where the store cannot be read, it is to come again.
    const again = () => link.close(1011, "what waits for the runner could not be read");
    setTimeout(() => void this.#reconcile(link, lost).catch(again));
    return stored;
  }

  async #reconcile(link: RunnerLink, lost: ReadonlySet<string>): Promise<void> {
    for (const row of await this.#store.orders(link.runner)) {
      if (!this.#options.storedOrders.has(row)) continue;
      link.sendOrder(row.id, JSON.parse(row.json) as never).catch(() => {});
    }
    for (const session of this.#sessions.listByRunner(link.runner)) {
      if (!this.#links.isCurrent(link)) return;
      await session.reconcile(link, lost).catch(() => {});
      session.notifyChanged();
    }
    this.#options.changes.hubChanged();
  }

  /** Lines of a session that is gone, or of another runner's, are not wanted: the runner may forget them. */
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

  /** What is not wanted is thrown away as it comes. */
  startChunkedLine(link: RunnerLink, session: string, seq: number): ChunkedLine {
    const found = this.#sessions.find(session);
    const wanted = found?.row.runner === link.runner && !found.hasLine(seq);
    return new ChunkedLine(wanted ? this.#store : undefined, session, seq);
  }

  /** What became of a stored order: it need not be sent again. */
  onOrderDone(order: string): void {
    this.#options.storedOrders.remove(order);
    void this.#store.commit([{ kind: "order-done", id: order }]).catch(() => {}); // it is told again
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
