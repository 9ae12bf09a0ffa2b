import { DEFAULT_LINE_LIMIT, deferred } from "@signalbox/protocol";
import { type RunEnd, runEnd } from "@signalbox/host";
import { DIAL_VERSION, dialText, type FromDial, readDial } from "./dial-frames.ts";
import type { Introduction, Speech, Wire } from "./dial-protocol.ts";

const MISSHAPEN = 4400;
const AGAIN = 4409;

/** What the log knows of a life that began before this hub did. */
export interface Counted {
  /** Lines of the agent's that are stored. */
  readonly agent: number;
  /** Lines to the agent that are stored, in order. */
  readonly host: readonly string[];
}

/** Numbered lines, acknowledged in both directions: nothing is lost or doubled, whatever breaks. */
export class DialSpeech implements Speech {
  readonly #wire: Wire;
  readonly #introduced = deferred<Introduction>();
  /** The agent's lines up to this number were taken in; those up to `stored` are in the log. */
  #taken: number;
  #stored: number;
  #piece = "";
  /** Lines to the agent that it has not acknowledged, and the number of the first of them. */
  #waiting: string[];
  #first = 1;
  /** It has said what it has: from then on lines go out as they come. */
  #isIntroduced = false;
  #wasStopped = false;

  constructor(wire: Wire, counted: Counted = { agent: 0, host: [] }) {
    this.#wire = wire;
    this.#taken = this.#stored = counted.agent;
    this.#waiting = [...counted.host];
  }

  get ready(): Promise<Introduction> {
    return this.#introduced.promise;
  }

  attached(): void {
    this.#piece = "";
    this.#isIntroduced = false;
    // A hub that was killed may have given lines that it had not stored: their numbers are free again.
    const known = { received: this.#stored, given: this.#first + this.#waiting.length - 1 };
    this.#wire.put(dialText({ subtype: "welcome", version: DIAL_VERSION, ...known }));
  }

  detached(): void {
    this.#isIntroduced = false;
  }

  received(text: string): void {
    const read = readDial(text);
    if (!read) return this.#wire.drop(MISSHAPEN, "This is no frame of dial's.");
    this.#take(read.frame, read.body);
  }

  #take(frame: FromDial, body: string): void {
    switch (frame.subtype) {
      case "hello":
        return this.#hello(frame);
      case "lines":
        return this.#lines(frame.first, body.split("\n"));
      case "chunk":
        return this.#chunk(frame.number, frame.last, body);
      case "ack":
        return this.#heard(frame.received);
      case "ended":
        return this.#ended(frame);
      default:
        return frame satisfies never;
    }
  }

  #hello(frame: Extract<FromDial, { subtype: "hello" }>): void {
    const { version, received, folder, agent, lost } = frame;
    if (version !== DIAL_VERSION) {
      return this.#wire.drop(MISSHAPEN, `The hub speaks version ${DIAL_VERSION} of dial's frames.`);
    }
    this.#heard(received);
    if (lost !== undefined) this.#wire.missed(lost);
    this.#isIntroduced = true;
    if (this.#waiting.length > 0) this.#say(this.#first, this.#waiting);
    this.#introduced.resolve({
      ...(folder !== undefined && { folder }),
      ...(agent?.path !== undefined && { path: agent.path }),
      ...(agent?.version !== undefined && { version: agent.version }),
    });
  }

  #lines(first: number, lines: readonly string[]): void {
    if (first > this.#taken + 1) return this.#wire.drop(AGAIN, "A line is missing.");
    const news = lines.slice(this.#taken + 1 - first);
    this.#taken += news.length;
    this.#wire.deliver(news);
  }

  #chunk(number: number, last: boolean, piece: string): void {
    this.#piece += piece;
    if (this.#piece.length > DEFAULT_LINE_LIMIT) {
      return this.#wire.drop(1009, "A line is longer than 64 MiB.");
    }
    if (!last) return;
    const line = this.#piece;
    this.#piece = "";
    this.#lines(number, [line]);
  }

  /** The agent has been given our lines up to this number. One from before a restart may have more. */
  #heard(received: number): void {
    const gone = received + 1 - this.#first;
    if (gone <= 0) return;
    this.#waiting.splice(0, gone);
    this.#first = received + 1;
  }

  #ended({ code, signal, stderr = "" }: Extract<FromDial, { subtype: "ended" }>): void {
    const exit = { exitCode: code, signal };
    this.#wire.end({ ...this.#meaningOf(code, signal, stderr), exit });
  }

  #meaningOf(code: number | null, signal: string | null, stderr: string): RunEnd {
    if (this.#wasStopped) {
      const isKilled = signal === "SIGTERM" || signal === "SIGKILL";
      return runEnd("stopped", { how: isKilled ? signal : "its input was closed" }, stderr);
    }
    if (code === 0 && signal === null) return runEnd("clean", {}, stderr);
    return runEnd("crashed", { code, signal, dialled: true }, stderr);
  }

  send(line: string): void {
    this.#waiting.push(line);
    if (this.#isIntroduced) this.#say(this.#first + this.#waiting.length - 1, [line]);
  }

  #say(first: number, lines: readonly string[]): void {
    this.#wire.put(dialText({ subtype: "lines", first }, lines));
  }

  stored(count: number): void {
    if (count <= this.#stored) return;
    this.#stored = count;
    this.#wire.put(dialText({ subtype: "ack", received: count }));
  }

  stop(): boolean {
    this.#wasStopped = true;
    this.#wire.put(dialText({ subtype: "stop" }));
    return true;
  }
}
