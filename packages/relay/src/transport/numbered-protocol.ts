import { DEFAULT_LINE_LIMIT, deferred } from "@signalbox/protocol/wire";
import type { RunEnd } from "@signalbox/host";
import { createRunEnd } from "@signalbox/host/launch";
import { DIAL_VERSION, formatDialFrame, type FromDial, parseDialFrame } from "./dial-frames.ts";
import type { AgentIntroduction, DialProtocol, DialProtocolOutput } from "./dial-protocol.ts";

const CLOSED_MALFORMED = 4400;
const CLOSED_RECONNECT = 4409;

/** How much of an agent's life before this process of the hub is in the log. */
export interface StoredProgress {
  /** The number of the agent's lines that are stored. */
  readonly agent: number;
  /** Stored lines to the agent, in order. */
  readonly host: readonly string[];
}

/**
 * Lines with numbers and acknowledgements in both directions: nothing is lost or duplicated when
 * connections break.
 */
export class NumberedProtocol implements DialProtocol {
  readonly #output: DialProtocolOutput;
  readonly #introduction = deferred<AgentIntroduction>();
  /** The agent's lines up to this number were received; those up to `stored` are in the log. */
  #receivedCount: number;
  #storedCount: number;
  #partialLine = "";
  /** Lines to the agent that it has not acknowledged, and the number of the first of them. */
  #unacknowledged: string[];
  #firstUnacknowledged = 1;
  /** The agent has said which lines it has. From then on lines are sent as they come. */
  #isIntroduced = false;
  #wasStopped = false;

  constructor(transport: DialProtocolOutput, counted: StoredProgress = { agent: 0, host: [] }) {
    this.#output = transport;
    this.#receivedCount = this.#storedCount = counted.agent;
    this.#unacknowledged = [...counted.host];
  }

  get ready(): Promise<AgentIntroduction> {
    return this.#introduction.promise;
  }

  attached(): void {
    this.#partialLine = "";
    this.#isIntroduced = false;
    // A hub that was killed may have sent lines that it had not stored. Their numbers are used
    // again.
    const known = {
      received: this.#storedCount,
      given: this.#firstUnacknowledged + this.#unacknowledged.length - 1,
    };
    this.#output.put(formatDialFrame({ subtype: "welcome", version: DIAL_VERSION, ...known }));
  }

  detached(): void {
    this.#isIntroduced = false;
  }

  received(text: string): void {
    const read = parseDialFrame(text);
    if (!read) return this.#output.drop(CLOSED_MALFORMED, "This is not a frame of dial.");
    this.#handleFrame(read.frame, read.body);
  }

  #handleFrame(frame: FromDial, body: string): void {
    switch (frame.subtype) {
      case "hello":
        return this.#onHello(frame);
      case "lines":
        return this.#onLines(frame.first, body.split("\n"));
      case "chunk":
        return this.#onChunk(frame.number, frame.last, body);
      case "ack":
        return this.#onAcknowledged(frame.received);
      case "ended":
        return this.#onEnded(frame);
      default:
        return frame satisfies never;
    }
  }

  #onHello(frame: Extract<FromDial, { subtype: "hello" }>): void {
    const { version, received, folder, agent, lost } = frame;
    if (version !== DIAL_VERSION) {
      return this.#output.drop(
        CLOSED_MALFORMED,
        `The hub supports version ${DIAL_VERSION} of dial's frames.`,
      );
    }
    this.#onAcknowledged(received);
    if (lost !== undefined) this.#output.missed(lost);
    this.#isIntroduced = true;
    if (this.#unacknowledged.length > 0)
      this.#sendLines(this.#firstUnacknowledged, this.#unacknowledged);
    this.#introduction.resolve({
      ...(folder !== undefined && { folder }),
      ...(agent?.path !== undefined && { path: agent.path }),
      ...(agent?.version !== undefined && { version: agent.version }),
    });
  }

  #onLines(first: number, lines: readonly string[]): void {
    if (first > this.#receivedCount + 1)
      return this.#output.drop(CLOSED_RECONNECT, "A line is missing.");
    const news = lines.slice(this.#receivedCount + 1 - first);
    this.#receivedCount += news.length;
    this.#output.deliver(news);
  }

  #onChunk(number: number, last: boolean, piece: string): void {
    this.#partialLine += piece;
    if (this.#partialLine.length > DEFAULT_LINE_LIMIT) {
      return this.#output.drop(1009, "A line is longer than 64 MiB.");
    }
    if (!last) return;
    const line = this.#partialLine;
    this.#partialLine = "";
    this.#onLines(number, [line]);
  }

  /**
   * The agent has received the hub's lines up to this number. A number from before a restart may be
   * higher.
   */
  #onAcknowledged(received: number): void {
    const lostCount = received + 1 - this.#firstUnacknowledged;
    if (lostCount <= 0) return;
    this.#unacknowledged.splice(0, lostCount);
    this.#firstUnacknowledged = received + 1;
  }

  #onEnded({ code, signal, stderr = "" }: Extract<FromDial, { subtype: "ended" }>): void {
    const exit = { exitCode: code, signal };
    this.#output.end({ ...this.#toRunEnd(code, signal, stderr), exit });
  }

  #toRunEnd(code: number | null, signal: string | null, stderr: string): RunEnd {
    if (this.#wasStopped) {
      const isKilled = signal === "SIGTERM" || signal === "SIGKILL";
      return createRunEnd("stopped", { how: isKilled ? signal : "its input was closed" }, stderr);
    }
    if (code === 0 && signal === null) return createRunEnd("clean", {}, stderr);
    return createRunEnd("crashed", { code, signal, dialed: true }, stderr);
  }

  send(line: string): void {
    this.#unacknowledged.push(line);
    if (this.#isIntroduced)
      this.#sendLines(this.#firstUnacknowledged + this.#unacknowledged.length - 1, [line]);
  }

  #sendLines(first: number, lines: readonly string[]): void {
    this.#output.put(formatDialFrame({ subtype: "lines", first }, lines));
  }

  stored(count: number): void {
    if (count <= this.#storedCount) return;
    this.#storedCount = count;
    this.#output.put(formatDialFrame({ subtype: "ack", received: count }));
  }

  stop(): boolean {
    this.#wasStopped = true;
    this.#output.put(formatDialFrame({ subtype: "stop" }));
    return true;
  }
}
