import type { FrameToHubOfType } from "@signalbox/api/link";
import type { ApproverKey } from "../devices/access-control.ts";
import type { RunnerGateway } from "../engine.ts";
import type { Store } from "../store/store.ts";
import type { ReceivedLine } from "../session/session-ingest.ts";
import type { RunnerLinks } from "../link/runner-links.ts";
import type { Sessions } from "../session/sessions.ts";
import { ChunkedLine } from "../link/chunked-line.ts";
import { type LinkListener, type LinkSocket, RunnerLink } from "../link/runner-link.ts";

/** Where runners arrive: their lines go to their sessions, and what waits for them is sent. */
export class RunnerRegistry implements RunnerGateway, LinkListener {
  readonly #store: Store;
  readonly #runners: RunnerLinks;
  readonly #sessions: Sessions;
  readonly #changed: () => void;
  readonly #approvers: (() => readonly ApproverKey[]) | undefined;

  constructor(
    store: Store,
    runners: RunnerLinks,
    sessions: Sessions,
    changed: () => void,
    approvers: (() => readonly ApproverKey[]) | undefined,
  ) {
    this.#approvers = approvers;
    this.#store = store;
    this.#runners = runners;
    this.#sessions = sessions;
    this.#changed = changed;
  }

  accept(device: { id: string; own: boolean }, socket: LinkSocket) {
    const link = new RunnerLink(device, socket, this);
    return {
      receive: (text: string) => link.receive(text),
      closed: () => link.onSocketClosed(),
    };
  }

  listApprovers(): readonly ApproverKey[] | undefined {
    return this.#approvers?.();
  }

  approversChanged(): void {
    for (const link of this.#runners.listOpen()) link.sendApprovers();
  }

  removeRunner(runner: string): void {
    this.#runners.remove(runner);
    for (const session of this.#sessions.listByRunner(runner)) session.changed();
    this.#changed();
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
    this.#runners.add(link)?.close(4409, "the runner has connected anew");
    // Those that are started from now on are none of which this runner should have told.
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
    for (const row of await this.#store.orders()) {
      if (row.runner !== link.runner) continue;
      link.sendOrder(row.id, JSON.parse(row.json) as never).catch(() => {});
    }
    for (const session of this.#sessions.listByRunner(link.runner)) {
      if (!this.#runners.isCurrent(link)) return;
      await session.reconcile(link, lost).catch(() => {});
      session.changed();
    }
    this.#changed();
  }

  /** Lines of a session that is gone, or of another runner's, are not wanted: the runner may forget them. */
  async onLines(
    link: RunnerLink,
    session: string,
    arrivals: readonly ReceivedLine[],
  ): Promise<boolean> {
    const found = this.#sessions.find(session);
    if (found && found.row.runner === link.runner) return found.receiveLines(arrivals);
    link.acknowledge(session, arrivals.at(-1)?.seq ?? 0);
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
    void this.#store.commit([{ kind: "order-done", id: order }]).catch(() => {}); // it is told again
  }

  onClosed(link: RunnerLink): void {
    if (!this.#runners.isCurrent(link)) return;
    for (const session of this.#sessions.listByRunner(link.runner)) session.changed();
    this.#changed();
  }
}

async function stopUnknownRun(link: RunnerLink, session: string, run: string): Promise<void> {
  const order = { kind: "stop", session, run, park: false } as const;
  await link.sendOrder(`${run}.stop`, order).catch(() => {});
}
