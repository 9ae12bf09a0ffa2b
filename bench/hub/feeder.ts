import { authorization } from "@signalbox/testing/signed-requests";
import { formatLogMarker } from "@signalbox/protocol";
import {
  formatFrame,
  LINK_PATH,
  LINK_PROTOCOL,
  LINK_VERSION,
  parseFrame,
  type FrameToHub,
  frameToRunner,
  type Order,
} from "@signalbox/api/link";

/** So much may be on its way before the hub has stored it, as with the real runner. */
const WINDOW = 8 * 1024 * 1024;

interface Fed {
  run: string;
  next: number;
  acknowledged: number;
  /** Sizes of what is on its way, by the number of its last line. */
  readonly flying: { last: number; size: number }[];
  size: number;
  wake?: () => void;
}

/** Plays a runner: whatever lines it is given arrive at the hub as those of an agent. */
export class Feeder {
  #socket!: WebSocket;
  readonly #sessions = new Map<string, Fed>();
  readonly ready: Promise<void>;
  /** What an order is answered with; nothing unless said. */
  onOrder: ((order: Order) => unknown) | undefined;

  /** `key`: the runner's own, as text. */
  constructor(hub: string, key: string, runner: string) {
    this.ready = this.#open(hub, key, runner);
    this.ready.catch(() => {});
  }

  async #open(hub: string, key: string, runner: string): Promise<void> {
    const url = new URL(LINK_PATH, hub);
    url.protocol = url.protocol.replace("http", "ws");
    const shown = await authorization(hub, key, "GET", LINK_PATH);
    const options = { headers: { Authorization: shown }, protocols: [LINK_PROTOCOL] };
    this.#socket = new WebSocket(url.href, options as unknown as string[]);
    await new Promise<void>((resolve, reject) => {
      this.#socket.addEventListener("open", () => {
        const facts = { runner, machine: "bench", process: crypto.randomUUID(), generation: 1 };
        this.#send({ type: "hello", version: LINK_VERSION, ...facts, runs: [] });
      });
      this.#socket.addEventListener("close", ({ code, reason }) =>
        reject(new Error(`the hub closed the link: ${code} ${reason}`)),
      );
      this.#socket.addEventListener("message", ({ data }) => this.#receive(String(data), resolve));
    });
  }

  #send(frame: FrameToHub, lines?: readonly string[]): void {
    this.#socket.send(formatFrame(frame, lines));
  }

  #receive(text: string, welcomed: () => void): void {
    const frame = parseFrame(frameToRunner, text)?.frame;
    if (frame?.type === "welcome") welcomed();
    if (frame?.type === "ack") this.#acknowledge(frame.session, frame.seq);
    if (frame?.type !== "order") return;
    const { order } = frame;
    const result = this.onOrder?.(order);
    this.#send({ type: "done", id: frame.id, ...(result !== undefined && { result }) });
    if (order.kind !== "start") return;
    const { session, run, after, driver, policy, status } = order;
    this.#sessions.set(session, { run, next: after + 1, acknowledged: after, flying: [], size: 0 });
    const agent = { path: "/bench", version: "2.1.325", versionClass: "tested" };
    const note = { run, status, driver, policy, agent, capabilities: {}, leftOut: [] };
    this.#lines(session, "keeper", [formatLogMarker("run_started", note)]);
  }

  #acknowledge(session: string, seq: number): void {
    const fed = this.#sessions.get(session);
    if (!fed) return;
    fed.acknowledged = seq;
    while (fed.flying[0] && fed.flying[0].last <= seq) fed.size -= fed.flying.shift()?.size ?? 0;
    fed.wake?.();
  }

  #lines(session: string, from: "agent" | "host" | "keeper", lines: readonly string[]): void {
    const fed = this.#sessions.get(session);
    if (!fed) throw new Error(`no run of session ${session} was asked for`);
    const first = fed.next;
    fed.next += lines.length;
    const at = Date.now();
    const size = lines.reduce((sum, line) => sum + line.length, 0);
    fed.flying.push({ last: fed.next - 1, size });
    fed.size += size;
    const facts = {
      session,
      run: fed.run,
      first,
      from: lines.map(() => from),
      at: lines.map(() => at),
    };
    this.#send({ type: "lines", ...facts }, lines);
  }

  /** Sends lines in one frame; waits while too much is on its way. */
  async feed(
    session: string,
    lines: readonly string[],
    from: "agent" | "host" | "keeper" = "agent",
  ): Promise<void> {
    const fed = await this.#started(session);
    while (fed.size > WINDOW) await new Promise<void>((resolve) => (fed.wake = resolve));
    this.#lines(session, from, lines);
  }

  /** The run of a session ends, to be woken again. */
  async park(session: string): Promise<void> {
    const { run } = await this.#started(session);
    const note = { run, status: "parked", kind: "stopped", sentence: "parked" } as const;
    this.#lines(session, "keeper", [formatLogMarker("run_ended", note)]);
    await this.stored(session);
  }

  /** Settles when the hub has stored everything. */
  async stored(session: string): Promise<void> {
    const fed = await this.#started(session);
    while (fed.acknowledged < fed.next - 1) {
      await new Promise<void>((resolve) => (fed.wake = resolve));
    }
  }

  async #started(session: string): Promise<Fed> {
    for (;;) {
      const fed = this.#sessions.get(session);
      if (fed) return fed;
      await Bun.sleep(5);
    }
  }

  close(): void {
    this.#socket.close();
  }
}
