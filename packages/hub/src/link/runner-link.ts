import type { RunnerView } from "@signalbox/api";
import { toPlainName, errorMessage } from "@signalbox/protocol/text";
import type { Line } from "@signalbox/protocol";
import {
  formatFrame,
  LINK_VERSION,
  type Order,
  parseFrame,
  type FrameToHub,
  type FrameToHubOfType,
  type FrameToRunnerOfType,
  frameToHub,
  type FrameToRunner,
} from "@signalbox/api/link";
import { FOLDER_NOT_ALLOWED } from "@signalbox/runner/supervise";
import type { StoredApproverKey } from "../devices/access-control.ts";
import { HubRefusal, RunnerRefusal } from "../refusal.ts";
import type { ReceivedLine } from "./received-line.ts";
import type { ChunkedLine } from "./chunked-line.ts";

export interface LinkSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
}

type TerminalOutputFrame = FrameToHubOfType<
  "terminal-snapshot" | "terminal-output" | "terminal-size"
>;
type TerminalFrameToRunner = FrameToRunnerOfType<
  "terminal-watch" | "terminal-leave" | "terminal-ack" | "terminal-input" | "terminal-resize"
>;

/** What a link reports to the engine. */
export interface LinkListener {
  /** A runner has connected. Returns the last stored line of each session that it may ask about. */
  onHello(link: RunnerLink, hello: FrameToHubOfType<"hello">): Promise<Record<string, number>>;
  /** Lines have arrived. Returns false if a line before these is missing, so that they must be sent again. */
  onLines(link: RunnerLink, session: string, arrivals: readonly ReceivedLine[]): Promise<boolean>;
  /** A long line begins to arrive. */
  startChunkedLine(link: RunnerLink, session: string, seq: number): ChunkedLine;
  /** The runner has reported the outcome of a stored order, which need not be stored any longer. */
  onOrderDone(link: RunnerLink, order: string): void;
  /** All terminals of the runner: the first list of a connection, or a change. */
  onTerminals(link: RunnerLink, frame: FrameToHubOfType<"terminals">): void;
  onTerminalFrame(link: RunnerLink, frame: TerminalOutputFrame): void;
  onFolderChanged(link: RunnerLink, frame: FrameToHubOfType<"folder-changed">): void;
  onClosed(link: RunnerLink): void;
  /** The keys whose signed decisions count; undefined: they are not known. */
  listApprovers(): readonly StoredApproverKey[] | undefined;
}
/** A part of a transcript, as the runner answers the order to read it. */
export interface TranscriptPart {
  readonly frame: FrameToHubOfType<"transcript">;
  /** The lines; those whose time is not known have that of the line before. */
  readonly lines: readonly Omit<ReceivedLine, "seq" | "run">[];
}
/** The kinds of orders that may be stored. */
const storedOrderKinds: ReadonlySet<Order["kind"]> = new Set(["decide", "policy"]);

/** The hub's end of one runner's connection. */
export class RunnerLink {
  readonly device: string;
  readonly own: boolean;
  readonly since = Date.now();
  runner = "";
  machine = "";
  /** The home folder of the runner's user; runners of earlier versions do not report it. */
  home: string | undefined;
  process = "";
  /** The version of Signalbox that the runner is. */
  version: string | undefined;
  /** The drivers that the runner has; runners of earlier versions do not report them. */
  drivers: RunnerView["drivers"];
  load: RunnerView["load"];
  runs = 0;
  /** The runner speaks the previous version of the link: it neither isolates agents nor asks about trust. */
  isPreviousVersion = false;
  readonly #socket: LinkSocket;
  readonly #listener: LinkListener;
  readonly #pendingOrders = new Map<
    string,
    PromiseWithResolvers<unknown> & { readonly kind: Order["kind"] }
  >();
  /** Long lines that are arriving, by session. */
  readonly #chunkedLines = new Map<string, ChunkedLine>();
  /**
   * The frames that are being processed, by session, so that a long line of one session does not delay the
   * others.
   */
  readonly #work = new Map<string, Promise<void>>();
  #helloHandled: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(device: { id: string; own: boolean }, socket: LinkSocket, listener: LinkListener) {
    this.device = device.id;
    this.own = device.own;
    this.#socket = socket;
    this.#listener = listener;
  }

  get view(): RunnerView {
    const { runner: id, machine, own, since, runs, version, drivers } = this;
    const online = !this.#closed;
    return {
      id,
      machine,
      own,
      online,
      since,
      runs,
      ...(version !== undefined && { version }),
      ...(online && drivers && { drivers }),
    };
  }
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Processes a frame. The frames of one session are processed one after another, because the order of its
   * lines is the order of their arrival. The outcome of an order is reported after all frames that came
   * before it.
   */
  receive(text: string): void {
    const read = parseFrame<FrameToHub>(frameToHub, text);
    if (!read) return; // a frame that is newer than this build
    const { frame, lines } = read;
    if (isTerminalFrame(frame)) {
      // Terminals have nothing to do with sessions' lines, and do not wait for them to be stored.
      void this.#handleAfter(this.#helloHandled, frame, lines);
      return;
    }
    if (!("session" in frame)) {
      const before = Promise.all([this.#helloHandled, ...this.#work.values()]);
      const work = this.#handleAfter(before, frame, lines);
      if (frame.type === "hello") this.#helloHandled = work;
      return;
    }
    const { session } = frame;
    const work = this.#handleAfter(this.#work.get(session) ?? this.#helloHandled, frame, lines);
    this.#work.set(session, work);
    void work.then(() => this.#work.get(session) === work && this.#work.delete(session));
  }

  async #handleAfter(before: Promise<unknown>, frame: FrameToHub, lines: string[]): Promise<void> {
    try {
      await before;
      if (!this.#closed) await this.#handle(frame, lines);
    } catch (failure) {
      this.#fail(failure);
    }
  }

  async #handle(frame: FrameToHub, lines: string[]): Promise<void> {
    switch (frame.type) {
      case "hello":
        return this.#onHello(frame);
      case "lines":
        return this.#onLines(frame.session, toReceivedLines(frame, lines));
      case "chunk":
        return this.#onChunk(frame, lines.join("\n"));
      case "done":
        return this.#onDone(frame);
      case "transcript":
        return this.#onTranscript(frame, lines);
      case "load":
        this.load = { average: frame.average, cores: frame.cores };
        return;
      case "terminals":
        return this.#listener.onTerminals(this, frame);
      case "terminal-snapshot":
      case "terminal-output":
      case "terminal-size":
        return this.#listener.onTerminalFrame(this, frame);
      case "folder-changed":
        return this.#listener.onFolderChanged(this, frame);
      default:
        return frame satisfies never;
    }
  }

  async #onHello(hello: FrameToHubOfType<"hello">): Promise<void> {
    if (hello.version > LINK_VERSION || hello.version < LINK_VERSION - 1) {
      const detail = `The hub supports version ${LINK_VERSION} of the link and the one before it, and the runner version ${hello.version}. Update the older of the two.`;
      this.#send({ type: "refused", detail });
      this.#socket.close(4400, "another version of the link");
      return;
    }
    this.isPreviousVersion = hello.version < LINK_VERSION;
    this.runner = hello.runner;
    this.machine = toPlainName(hello.machine).slice(0, 200) || hello.runner;
    this.home = hello.home;
    this.process = hello.process;
    this.version = hello.program && toPlainName(hello.program).slice(0, 100);
    this.drivers = hello.drivers?.map((driver) => ({
      ...driver,
      title: toPlainName(driver.title),
    }));
    this.runs = hello.runs.filter(({ alive }) => alive).length;
    const stored = await this.#listener.onHello(this, hello);
    const { generation } = hello;
    this.sendApprovers();
    this.#send({ type: "welcome", version: LINK_VERSION, generation, stored });
  }

  sendApprovers(): void {
    const keys = this.#listener.listApprovers();
    if (keys && this.runner !== "")
      this.#send({ type: "approvers", keys: keys.map((key) => ({ ...key })) });
  }

  async #onLines(session: string, arrivals: readonly ReceivedLine[]): Promise<void> {
    if (await this.#listener.onLines(this, session, arrivals)) return;
    this.close(4409, "a line is missing");
  }

  /** Handles a chunk. Only the last chunk waits until the others are stored. */
  async #onChunk(frame: FrameToHubOfType<"chunk">, piece: string): Promise<void> {
    const { session, run, seq, from, at, last, flaws } = frame;
    let line = this.#chunkedLines.get(session);
    if (line?.seq !== seq) {
      line?.abandon();
      line = this.#listener.startChunkedLine(this, session, seq);
      this.#chunkedLines.set(session, line);
    }
    const arriving = line;
    arriving
      .add(piece, flaws?.original === undefined ? undefined : decodeBase64(flaws.original))
      .then(() => this.#send({ type: "taken", session, seq, pieces: arriving.storedPieces }))
      .catch((failure: unknown) => this.#fail(failure));
    if (!last) return;
    await arriving.waitUntilStored();
    if (this.#closed) return;
    this.#chunkedLines.delete(session);
    const { text, original, spooledLine } = arriving.finish();
    const whole = withFlaws(text, flaws?.droppedBytes, original);
    await this.#onLines(session, [
      { seq, run, from, at, line: whole, ...(spooledLine && { spooled: spooledLine }) },
    ]);
  }

  #onDone(frame: FrameToHubOfType<"done">): void {
    const { id, result, problem } = frame;
    const waiting = this.#pendingOrders.get(id);
    if (!waiting) return; // an order that this connection did not send
    this.#pendingOrders.delete(id);
    if (storedOrderKinds.has(waiting.kind)) this.#listener.onOrderDone(this, id);
    const status = problem?.code === FOLDER_NOT_ALLOWED ? 403 : 409;
    if (problem) waiting.reject(new RunnerRefusal(status, problem.code, problem.detail));
    else waiting.resolve(result);
  }

  #onTranscript(frame: FrameToHubOfType<"transcript">, lines: readonly string[]): void {
    const waiting = this.#pendingOrders.get(frame.id);
    if (!waiting) return;
    this.#pendingOrders.delete(frame.id);
    waiting.resolve({ frame, lines: toTranscriptLines(frame, lines) } satisfies TranscriptPart);
  }

  /** Sends the runner an order and waits for the outcome. The same id again is the same order. */
  sendOrder(id: string, order: Order): Promise<unknown> {
    if (this.#closed) return Promise.reject(createRunnerAwayRefusal());
    const waiting = this.#pendingOrders.get(id);
    if (waiting) return waiting.promise;
    const done = Promise.withResolvers<unknown>();
    this.#pendingOrders.set(id, { ...done, kind: order.kind });
    this.#send({ type: "order", id, order });
    return done.promise;
  }

  acknowledge(session: string, seq: number): void {
    if (seq > 0) this.#send({ type: "ack", session, seq });
  }

  sendTerminalFrame(frame: TerminalFrameToRunner): void {
    this.#send(frame);
  }

  sendFolderFrame(frame: FrameToRunnerOfType<"folder-watch" | "folder-leave">): void {
    this.#send(frame);
  }

  #send(frame: FrameToRunner): void {
    if (!this.#closed) this.#socket.send(formatFrame(frame));
  }

  #fail(failure: unknown): void {
    const reason = errorMessage(failure);
    this.close(1011, reason.slice(0, 100));
  }

  /** Closes the connection; the runner dials again. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    this.onSocketClosed();
  }

  /** Called when the connection is over, whichever side closed it. */
  onSocketClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { reject } of this.#pendingOrders.values()) reject(createRunnerAwayRefusal());
    this.#pendingOrders.clear();
    for (const line of this.#chunkedLines.values()) line.abandon();
    this.#chunkedLines.clear();
    this.#listener.onClosed(this);
  }
}

export function createRunnerAwayRefusal(): HubRefusal {
  const detail =
    "The runner of this session is not connected. Nothing was changed. Try again when it is connected.";
  return new HubRefusal(503, "runner-away", detail);
}

/**
 * The refusal to start an agent on an older runner. Such a runner keeps the agents that it has, and gets no
 * new ones, because it could not protect them.
 */
export function createOlderRunnerRefusal(own: boolean): HubRefusal {
  return new HubRefusal(503, "runner-away", own ? OWN_RUNNER_OLDER : OTHER_RUNNER_OLDER);
}
const OWN_RUNNER_OLDER =
  "The runner of this machine is older than the hub and starts no agents, because it can neither isolate them nor ask about a folder's own code. Your message waits until that runner is replaced, which happens as soon as none of its agents is working. `signalbox stop --all` stops them.";
const OTHER_RUNNER_OLDER =
  "The runner of that machine is older than the hub and starts no agents, because it can neither isolate them nor ask about a folder's own code. Your message waits until Signalbox is updated there and the runner is restarted.";

/** The refusal for an order to a machine, rather than to a session, whose runner is away. */
export function createMachineAwayRefusal(): HubRefusal {
  const detail = "The runner of this machine is not connected. Try again when it is connected.";
  return new HubRefusal(503, "runner-away", detail);
}

function isTerminalFrame(
  frame: FrameToHub,
): frame is TerminalOutputFrame | FrameToHubOfType<"terminals"> {
  return frame.type === "terminals" || "terminal" in frame;
}

function toReceivedLines(
  frame: FrameToHubOfType<"lines">,
  lines: readonly string[],
): ReceivedLine[] {
  const { first, run, from, at, flaws } = frame;
  if (lines.length !== from.length || at.length !== from.length) {
    throw new Error("a frame of lines whose parts do not fit");
  }
  return from.map((source, index) => ({
    seq: first + index,
    run,
    from: source,
    at: at[index] ?? 0,
    line: toLine(lines[index] ?? "", flaws?.[index]),
  }));
}

function toTranscriptLines(
  { from, at, flaws }: FrameToHubOfType<"transcript">,
  lines: readonly string[],
): TranscriptPart["lines"] {
  if (from.length === 0) return [];
  if (lines.length !== from.length || at.length !== from.length) {
    throw new Error("a part of a transcript whose parts do not fit");
  }
  let last = at.find((each) => each !== null) ?? 0;
  return from.map((source, index) => {
    last = at[index] ?? last;
    return { from: source, at: last, line: toLine(lines[index] ?? "", flaws?.[index]) };
  });
}

function toLine(
  text: string,
  flaws: NonNullable<FrameToHubOfType<"lines">["flaws"]>[string] | undefined,
): Line {
  const { droppedBytes, original } = flaws ?? {};
  return withFlaws(text, droppedBytes, original === undefined ? undefined : decodeBase64(original));
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

function decodeBase64(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
