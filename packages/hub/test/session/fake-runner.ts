import type { LogMarkerType } from "@signalbox/protocol";
import {
  CHUNK,
  formatFrame,
  LINK_VERSION,
  type Order,
  type OrderOfKind,
  parseFrame,
  type FrameToHub,
  type FrameToHubOfType,
  frameToRunner,
  type FrameToRunner,
} from "@signalbox/api/link";
import type { Engine } from "@signalbox/hub/engine";
import { init, replay } from "./speech.ts";
import { until } from "@signalbox/testing/until";

export { until };

type Said = string | { readonly from: "agent" | "host" | "keeper"; readonly line: string };
type Outcome = Pick<FrameToHubOfType<"done">, "result" | "problem">;

/** A runner that a test speaks for, frame by frame. What it is told to do it says to have done. */
export class FakeRunner {
  readonly id: string;
  readonly frames: FrameToRunner[] = [];
  /** What is done with an order; undefined: nothing is said of it. */
  carryOut: (order: Order, id: string) => Outcome | undefined = (order) => this.usual(order);
  closed: { readonly code: number; readonly reason: string } | undefined;
  /** The run of each session, and the number of its last line. */
  readonly runs = new Map<string, { run: string; seq: number }>();
  readonly #door: ReturnType<Engine["runners"]["accept"]>;

  constructor(engine: Engine, id: string, own = true) {
    this.id = id;
    this.#door = engine.runners.accept(
      { id, own },
      {
        send: (text) => this.#receive(text),
        close: (code, reason) => (this.closed = { code, reason }),
      },
    );
  }

  /** Connects, and settles when it has been welcomed. */
  async hello(known?: FakeRunner, version = LINK_VERSION): Promise<this> {
    for (const [session, at] of known?.runs ?? []) this.runs.set(session, { ...at });
    const runs = [...this.runs].map(([session, { run, seq }]) => ({
      session,
      run,
      alive: true,
      next: seq + 1,
    }));
    const process = known ? "p1" : crypto.randomUUID();
    const names = { runner: this.id, machine: "fake", program: "1.2.3\u202e" };
    const facts = { ...names, process, generation: 1, runs };
    this.frame({ type: "hello", version, ...facts });
    await until(() => this.of("welcome").length > 0 || this.closed !== undefined);
    await Bun.sleep(5); // what follows the welcome
    return this;
  }

  frame(frame: FrameToHub, lines?: readonly string[]): void {
    this.#door.receive(formatFrame(frame, lines));
  }

  leave(): void {
    this.#door.closed();
  }

  /** Lines of the session's run, numbered on. */
  say(session: string, ...said: Said[]): void {
    const at = this.runs.get(session);
    if (!at) throw new Error("no run of this session");
    this.sayFrom(session, at.run, at.seq + 1, ...said);
    at.seq += said.length;
  }

  /** One line in pieces; `pieces`: so many of them, and not its end. */
  sayLong(session: string, text: string, pieces = Number.POSITIVE_INFINITY): void {
    const at = this.runs.get(session);
    if (!at) throw new Error("no run of this session");
    const facts = { type: "chunk", session, run: at.run, seq: at.seq + 1, from: "agent" } as const;
    const count = Math.ceil(text.length / CHUNK);
    for (let nth = 0; nth < Math.min(count, pieces); nth++) {
      const piece = text.slice(nth * CHUNK, (nth + 1) * CHUNK);
      this.frame({ ...facts, at: 1, last: nth === count - 1 }, [piece]);
    }
    if (pieces >= count) at.seq += 1;
  }

  sayFrom(session: string, run: string, first: number, ...said: Said[]): void {
    const lines = said.map((each) =>
      typeof each === "string" ? { from: "agent" as const, line: each } : each,
    );
    const from = lines.map((each) => each.from);
    const at = lines.map(() => Date.now());
    const texts = lines.map((each) => each.line);
    this.frame({ type: "lines", session, run, first, from, at }, texts);
  }

  of<T extends FrameToRunner["type"]>(type: T): Extract<FrameToRunner, { type: T }>[] {
    return this.frames.filter((frame) => frame.type === type) as never;
  }
  orders<K extends Order["kind"]>(kind: K): OrderOfKind<K>[] {
    return this.of("order").flatMap(({ order }) => (order.kind === kind ? [order as never] : []));
  }
  acked(session: string): number {
    const acks = this.of("ack").filter((ack) => ack.session === session);
    return Math.max(0, ...acks.map(({ seq }) => seq));
  }

  usual(order: Order): Outcome {
    if (order.kind === "start") this.#start(order);
    if (order.kind === "prompt") {
      this.say(order.session, init(), replay(order.uuid, order.text));
    }
    if (order.kind === "decide") {
      const { requestId, how, by, decision } = order;
      const closed = { requestId, how, by, behavior: decision.behavior };
      this.say(order.session, note("ask_closed", closed));
    }
    if (order.kind === "stop") {
      this.end(order.session, order.park ? "parked" : "ended");
    }
    if (order.kind === "list-folder") {
      return { result: { path: order.path ?? "/", parent: null, folders: [] } };
    }
    return {};
  }

  #start({ session, run, after, driver, policy, status }: OrderOfKind<"start">): void {
    this.runs.set(session, { run, seq: after });
    const agent = { path: "/fake", version: "0", versionClass: "tested" };
    const facts = { run, status, driver, policy, agent, capabilities: {}, leftOut: [] };
    this.say(session, note("run_started", facts));
  }

  end(session: string, status: "ended" | "parked" | "crashed", kind = "clean"): void {
    const { run } = this.runs.get(session) ?? { run: "" };
    this.say(session, note("run_ended", { run, status, kind, sentence: "It ended." }));
    this.runs.delete(session);
  }

  ask(session: string, requestId: string, more: Record<string, unknown> = {}): void {
    const usual = { kind: "permission", title: "Bash", tool: "Bash", suggestions: [] };
    const input = { command: `run ${requestId}` };
    this.say(session, note("ask_opened", { requestId, ...usual, input, ...more }));
  }

  #receive(text: string): void {
    const frame = parseFrame<FrameToRunner>(frameToRunner, text)?.frame;
    if (!frame) throw new Error(`a frame that no runner reads: ${text.slice(0, 200)}`);
    if (frame.type === "order" && frame.order.kind === "list-transcripts") {
      const problem = { code: "unknown-order", detail: "It has none." };
      queueMicrotask(() => this.frame({ type: "done", id: frame.id, problem }));
      return;
    }
    this.frames.push(frame);
    if (frame.type !== "order") return;
    queueMicrotask(() => {
      const outcome = this.carryOut(frame.order, frame.id);
      if (outcome) this.frame({ type: "done", id: frame.id, ...outcome });
    });
  }
}

export function note(subtype: LogMarkerType, fields: Record<string, unknown>) {
  const line = JSON.stringify({ type: "signalbox", subtype, ...fields });
  return { from: "keeper" as const, line };
}
