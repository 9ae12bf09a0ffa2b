import { deferred } from "@signalbox/protocol/wire";
import {
  formatFrame,
  LINK_VERSION,
  type Order,
  parseFrame,
  type FrameToHub,
  type FrameToRunner,
  frameToRunner,
} from "@signalbox/api/link";
import type { Driver } from "@signalbox/host";
import { LineBuffer, type RunLog } from "@signalbox/runner/link";
import { Supervisor } from "@signalbox/runner/supervise";
import type { RunnerGateway } from "@signalbox/hub/extension";
import type { StoredProgress } from "../transport/numbered-protocol.ts";
import { RecoveredLines } from "./recovered-lines.ts";
import { AgentLineCounter } from "./line-counter.ts";
import { findPromptIds } from "../history/stored-history.ts";

/** How long a hub waits for its store when it starts or stops. */
const STORE_TIMEOUT_MS = 3000;
/** Deltas are joined for as long as nobody sees the difference. */
const TEXT_DEBOUNCE_MS = 25;

interface EmbeddedRunnerOptions {
  /** The id by which the engine knows this runner, across restarts of the hub. */
  readonly id: string;
  readonly dataFolder: string;
  readonly drivers: ReadonlyMap<string, Driver>;
  readonly runners: RunnerGateway;
  /** This many lines of the agent of this session's run are stored. */
  readonly onStored: (session: string, agentLines: number) => void;
}

/**
 * The runner for agents that dial in. It has the same runs, lines and orders as a runner process,
 * with a link that is a function call. It ends with the hub; its agents do not, and connect to the
 * next process.
 */
export class EmbeddedRunner implements AsyncDisposable {
  readonly id: string;
  readonly #options: EmbeddedRunnerOptions;
  readonly #ledger: CountingBuffer;
  readonly #supervisor: Supervisor;
  readonly #process = crypto.randomUUID();
  /** By session. */
  readonly #recovered = new Map<string, RecoveredLines>();
  readonly #recoveredStored = deferred<void>();
  #generation = 0;
  #link: ReturnType<RunnerGateway["accept"]> | undefined;
  #flushing: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(options: EmbeddedRunnerOptions) {
    this.id = options.id;
    this.#options = options;
    this.#ledger = new CountingBuffer(options.dataFolder);
    for (const found of this.#ledger.loadUndelivered()) {
      this.#recovered.set(found.session, new RecoveredLines(found));
    }
    this.#ledger.onLines = (soon) => this.#flushSoon(soon ? 0 : TEXT_DEBOUNCE_MS);
    this.#supervisor = new Supervisor({ drivers: options.drivers, buffer: this.#ledger });
  }

  /** Lines of this session from the hub's previous process that are not stored yet. */
  getRecovered(session: string): RecoveredLines | undefined {
    return this.#recovered.get(session);
  }

  /** Settles when all of them are stored, or after a limited time. */
  async waitForRecovered(): Promise<void> {
    if (this.#recovered.size > 0) await waitWithTimeout(this.#recoveredStored.promise);
  }

  #onStoredUpTo(session: string, seq: number): void {
    if (seq >= (this.#recovered.get(session)?.last ?? Infinity)) this.#recovered.delete(session);
    if (this.#recovered.size === 0) this.#recoveredStored.resolve();
  }

  /** A run continues that began in an earlier process of the hub: what the log contains of it. */
  resumeRun(order: Extract<Order, { kind: "start" }>, { agent, host }: StoredProgress): void {
    this.#ledger.previousCounts.set(order.run, agent);
    this.#supervisor.resumeRun(order, findPromptIds(host));
  }

  connect(): void {
    if (this.#stopped) return;
    const { runners, id } = this.#options;
    const generation = ++this.#generation;
    const link = runners.accept(
      { id, own: false },
      {
        send: (text) => void (this.#link === link && this.#receive(text)),
        close: () => void setTimeout(() => generation === this.#generation && this.connect()),
      },
    );
    this.#link = link;
    this.#send({
      type: "hello",
      version: LINK_VERSION,
      runner: id,
      machine: "agents that dial in",
      process: this.#process,
      generation,
      runs: [...this.#listLiveRuns(), ...this.#listDeadRuns()],
    });
  }

  #listLiveRuns() {
    return this.#supervisor.runs.map(({ session, run }) => {
      return { session, run, alive: true, next: this.#ledger.getNext(session) ?? 1 };
    });
  }

  #listDeadRuns() {
    const living = new Set(this.#supervisor.runs.map(({ run }) => run));
    const dead = this.#ledger.pendingRuns.filter(({ run }) => !living.has(run));
    return dead.map(({ session, run, next }) => ({ session, run, alive: false, next }));
  }

  #send(frame: FrameToHub): void {
    this.#link?.receive(formatFrame(frame));
  }

  #receive(text: string): void {
    const frame = parseFrame<FrameToRunner>(frameToRunner, text)?.frame;
    if (frame?.type === "welcome") {
      this.#ledger.resendAfter(frame.stored);
      for (const [session, seq] of Object.entries(frame.stored)) this.#onStoredUpTo(session, seq);
      this.#flush();
    } else if (frame?.type === "ack") {
      const stored = this.#ledger.counters.get(frame.session)?.countStored(frame.seq);
      if (stored !== undefined) this.#options.onStored(frame.session, stored);
      if (this.#ledger.acknowledge(frame.session, frame.seq)) this.#flushSoon(0);
      this.#onStoredUpTo(frame.session, frame.seq);
    } else if (frame?.type === "taken") {
      if (this.#ledger.acknowledgePieces(frame.session, frame.seq, frame.pieces))
        this.#flushSoon(0);
    } else if (frame?.type === "order") {
      void this.#execute(frame.id, frame.order);
    }
  }

  async #execute(id: string, order: Order): Promise<void> {
    const outcome = await this.#supervisor.execute(id, order);
    this.#flush(); // first the lines that were written down meanwhile
    this.#send({ type: "done", id, ...outcome });
  }

  #flushSoon(ms: number): void {
    if (ms === 0) clearTimeout(this.#flushing);
    else if (this.#flushing !== undefined) return;
    this.#flushing = setTimeout(() => this.#flush(), ms);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    while (!this.#stopped && this.#ledger.hasUnsent) {
      for (const text of this.#ledger.frames()) this.#link?.receive(text);
    }
  }

  /** The next hub has to store what is left here before the agent can continue. */
  async #flushUntilStored(): Promise<void> {
    do {
      this.#flush();
      await this.#ledger.waitUntilDelivered();
      await Bun.sleep(0); // what has arrived meanwhile is written down
    } while (!this.#ledger.isEmpty);
  }

  /** Runs are left running, because their agents are alive. */
  async [Symbol.asyncDispose](): Promise<void> {
    await waitWithTimeout(this.#flushUntilStored());
    this.#stopped = true;
    clearTimeout(this.#flushing);
    this.#link?.closed();
    this.#ledger.close();
  }
}

async function waitWithTimeout(done: Promise<void>): Promise<void> {
  const late = deferred<void>();
  const timer = setTimeout(() => late.resolve(), STORE_TIMEOUT_MS);
  await Promise.race([done, late.promise]);
  clearTimeout(timer); // it would keep the process, and the next hub from its port
}

/** Lines as they are written down, and how many of them come from the agent. */
class CountingBuffer extends LineBuffer {
  /** By session. */
  readonly counters = new Map<string, AgentLineCounter>();
  /** The agents' lines of earlier runs, by run. */
  readonly previousCounts = new Map<string, number>();

  override open(session: string, run: string, after: number): RunLog {
    const log = super.open(session, run, after);
    const tally = new AgentLineCounter(
      this.getNext(session) ?? after + 1,
      this.previousCounts.get(run) ?? 0,
    );
    this.counters.set(session, tally);
    return tally.wrap(log);
  }
}
