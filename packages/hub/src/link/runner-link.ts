import type { RunnerView } from "@signalbox/api";
import { toPlainName } from "@signalbox/protocol/text";
import type { Line } from "@signalbox/protocol";
import {
  frameText,
  LINK_VERSION,
  type Order,
  readFrame,
  type ToHub,
  type ToHubOf,
  toHub,
  type ToRunner,
} from "@signalbox/api/link";
import { FOLDER_NOT_ALLOWED } from "@signalbox/runner";
import type { ApproverKey } from "../devices/access.ts";
import { Refusal, RunnerRefusal } from "../engine.ts";
import type { Arrival } from "../session/conversation.ts";
import type { ArrivingLine } from "./arriving-line.ts";

export interface LinkSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
}

/** What a link tells the engine. */
export interface LinkListener {
  /** A runner is there. Gives back the last stored line of each session it may ask about. */
  hello(link: RunnerLink, hello: ToHubOf<"hello">): Promise<Record<string, number>>;
  /** False: a line is missing before these; they must be sent again. */
  lines(link: RunnerLink, session: string, arrivals: readonly Arrival[]): Promise<boolean>;
  /** A long line begins to come. */
  arriving(link: RunnerLink, session: string, seq: number): ArrivingLine;
  /** The runner has said what became of an order that waits in the store until then. */
  done(order: string): void;
  gone(link: RunnerLink): void;
  /** The keys whose decisions count; undefined: nobody tells. */
  approvers(): readonly ApproverKey[] | undefined;
}
/** Orders of which the store may have a row. */
const kept: ReadonlySet<Order["kind"]> = new Set(["decide", "policy"]);

/** The hub's end of one runner's connection. */
export class RunnerLink {
  readonly device: string;
  readonly own: boolean;
  readonly since = Date.now();
  runner = "";
  machine = "";
  /** The home folder of the user it runs as; a runner of an earlier version does not tell. */
  home: string | undefined;
  process = "";
  runs = 0;
  /** It speaks the version of the link before this one: it neither isolates agents nor asks about trust. */
  isOlder = false;
  readonly #socket: LinkSocket;
  readonly #listener: LinkListener;
  readonly #waiting = new Map<
    string,
    PromiseWithResolvers<unknown> & { readonly kind: Order["kind"] }
  >();
  /** Long lines of which pieces have come, by session. */
  readonly #arriving = new Map<string, ArrivingLine>();
  /** What is being worked off, by session: a long line of one holds up no other. */
  readonly #work = new Map<string, Promise<void>>();
  #greeted: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(device: { id: string; own: boolean }, socket: LinkSocket, listener: LinkListener) {
    this.device = device.id;
    this.own = device.own;
    this.#socket = socket;
    this.#listener = listener;
  }

  get view(): RunnerView {
    const { runner: id, machine, own, since, runs } = this;
    return { id, machine, own, online: !this.#closed, since, runs };
  }
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Frames of a session are worked off one after another: the order of its lines is the order of their
   * arrival. What became of an order is told after all that came before it.
   */
  receive(text: string): void {
    const read = readFrame<ToHub>(toHub, text);
    if (!read) return; // newer than this build
    const { frame, lines } = read;
    if (!("session" in frame)) {
      const before = Promise.all([this.#greeted, ...this.#work.values()]);
      const work = this.#after(before, frame, lines);
      if (frame.type === "hello") this.#greeted = work;
      return;
    }
    const { session } = frame;
    const work = this.#after(this.#work.get(session) ?? this.#greeted, frame, lines);
    this.#work.set(session, work);
    void work.then(() => this.#work.get(session) === work && this.#work.delete(session));
  }

  async #after(before: Promise<unknown>, frame: ToHub, lines: string[]): Promise<void> {
    try {
      await before;
      if (!this.#closed) await this.#take(frame, lines);
    } catch (failure) {
      this.#fail(failure);
    }
  }

  async #take(frame: ToHub, lines: string[]): Promise<void> {
    switch (frame.type) {
      case "hello":
        return this.#hello(frame);
      case "lines":
        return this.#lines(frame.session, arrivalsOf(frame, lines));
      case "chunk":
        return this.#chunk(frame, lines.join("\n"));
      case "done":
        return this.#done(frame);
      default:
        return frame satisfies never;
    }
  }

  async #hello(hello: ToHubOf<"hello">): Promise<void> {
    if (hello.version > LINK_VERSION || hello.version < LINK_VERSION - 1) {
      const detail = `This hub speaks version ${LINK_VERSION} of the link and the one before it, the runner ${hello.version}: update the older of the two.`;
      this.#send({ type: "refused", detail });
      this.#socket.close(4400, "another version of the link");
      return;
    }
    this.isOlder = hello.version < LINK_VERSION;
    this.runner = hello.runner;
    this.machine = toPlainName(hello.machine).slice(0, 200) || hello.runner;
    this.home = hello.home;
    this.process = hello.process;
    this.runs = hello.runs.filter(({ alive }) => alive).length;
    const stored = await this.#listener.hello(this, hello);
    const { generation } = hello;
    this.tellApprovers();
    this.#send({ type: "welcome", version: LINK_VERSION, generation, stored });
  }

  tellApprovers(): void {
    const keys = this.#listener.approvers();
    if (keys && this.runner !== "")
      this.#send({ type: "approvers", keys: keys.map((key) => ({ ...key })) });
  }

  async #lines(session: string, arrivals: readonly Arrival[]): Promise<void> {
    if (await this.#listener.lines(this, session, arrivals)) return;
    this.close(4409, "a line is missing");
  }

  /** Only the last piece waits for the others to be stored. */
  async #chunk(frame: ToHubOf<"chunk">, piece: string): Promise<void> {
    const { session, run, seq, from, at, last, flaws } = frame;
    let line = this.#arriving.get(session);
    if (line?.seq !== seq) {
      line?.drop();
      line = this.#listener.arriving(this, session, seq);
      this.#arriving.set(session, line);
    }
    const arriving = line;
    arriving
      .add(piece, flaws?.original === undefined ? undefined : bytesOf(flaws.original))
      .then(() => this.#send({ type: "taken", session, seq, pieces: arriving.pieces }))
      .catch((failure: unknown) => this.#fail(failure));
    if (!last) return;
    await arriving.stored();
    if (this.#closed) return;
    this.#arriving.delete(session);
    const { text, original, kept } = arriving.finish();
    const whole = withFlaws(text, flaws?.droppedBytes, original);
    await this.#lines(session, [{ seq, run, from, at, line: whole, ...(kept && { kept }) }]);
  }

  #done(frame: ToHubOf<"done">): void {
    const { id, result, problem } = frame;
    const waiting = this.#waiting.get(id);
    if (!waiting) return; // nothing that it was told on this connection
    this.#waiting.delete(id);
    if (kept.has(waiting.kind)) this.#listener.done(id);
    const status = problem?.code === FOLDER_NOT_ALLOWED ? 403 : 409;
    if (problem) waiting.reject(new RunnerRefusal(status, problem.code, problem.detail));
    else waiting.resolve(result);
  }

  /** Carries out an order and waits for what became of it. The same id again is the same order. */
  order(id: string, order: Order): Promise<unknown> {
    if (this.#closed) return Promise.reject(runnerAway());
    const waiting = this.#waiting.get(id);
    if (waiting) return waiting.promise;
    const done = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { ...done, kind: order.kind });
    this.#send({ type: "order", id, order });
    return done.promise;
  }

  acknowledge(session: string, seq: number): void {
    if (seq > 0) this.#send({ type: "ack", session, seq });
  }

  #send(frame: ToRunner): void {
    if (!this.#closed) this.#socket.send(frameText(frame));
  }

  #fail(failure: unknown): void {
    const reason = failure instanceof Error ? failure.message : String(failure);
    this.close(1011, reason.slice(0, 100));
  }

  /** Ends the connection from our side; the runner dials again. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    this.ended();
  }

  /** The connection is over, whoever ended it. */
  ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) reject(runnerAway());
    this.#waiting.clear();
    for (const line of this.#arriving.values()) line.drop();
    this.#arriving.clear();
    this.#listener.gone(this);
  }
}

export function runnerAway(): Refusal {
  const detail =
    "The runner of this session is not connected. Nothing was changed; try again when it is back.";
  return new Refusal(503, "runner-away", detail);
}

/** An older runner goes on with the agents that it has, and starts none: they would not be protected. */
export function runnerOlder(own: boolean): Refusal {
  return new Refusal(503, "runner-away", own ? OWN_OLDER : FAR_OLDER);
}
const OWN_OLDER =
  "This machine's runner is still the one of before the hub was updated, and starts no agents: it can neither isolate them nor ask about the folder's own code. What was sent is kept, and goes when that runner has been replaced, which happens as soon as no agent of before is at work. `signalbox stop --all` ends them.";
const FAR_OLDER =
  "That machine's runner is older than the hub, and starts no agents: it can neither isolate them nor ask about the folder's own code. What was sent is kept, and goes when Signalbox has been updated there and its runner started again.";

/** For what is asked of a machine, and of no session. */
export function machineAway(): Refusal {
  const detail =
    "The machine's runner is not connected, so it cannot be asked. Try again when it is back.";
  return new Refusal(503, "runner-away", detail);
}

function arrivalsOf(frame: ToHubOf<"lines">, lines: readonly string[]): Arrival[] {
  const { first, run, from, at, flaws } = frame;
  if (lines.length !== from.length || at.length !== from.length) {
    throw new Error("a frame of lines whose parts do not fit");
  }
  return from.map((source, index) => ({
    seq: first + index,
    run,
    from: source,
    at: at[index] ?? 0,
    line: lineOf(lines[index] ?? "", flaws?.[index]),
  }));
}

function lineOf(
  text: string,
  flaws: NonNullable<ToHubOf<"lines">["flaws"]>[string] | undefined,
): Line {
  const { droppedBytes, original } = flaws ?? {};
  return withFlaws(text, droppedBytes, original === undefined ? undefined : bytesOf(original));
}

function withFlaws(
  text: string,
  droppedBytes: number | undefined,
  original: Uint8Array | undefined,
): Line {
  if (droppedBytes === undefined && original === undefined) return text;
  const flaws = {
    ...(droppedBytes !== undefined && { droppedBytes }),
    ...(original !== undefined && { original }),
  };
  return { text, flaws };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
