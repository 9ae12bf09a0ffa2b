import { type JsonObject, parseObject, decode } from "@signalbox/protocol";
import { FrameLines, isObject, readPendingRequests, requestLine } from "@signalbox/protocol/wire";

/** The agent's own buffer holds a thousand; its words are repeated from there. */
const KNOWN_UUIDS = 5000;
const KNOWN_REQUESTS = 5000;
const KEPT_ANSWERS = 500;
const KEPT_PROMPTS = 50;

/** What plain lines need of the connection. */
export interface LineSink {
  /** To the socket, if there is one. */
  put(text: string): void;
  deliver(lines: readonly string[]): void;
  /** What the agent said while its line was broken is lost. */
  lost(): void;
  /** The socket is closed with a reason; the agent may come back. */
  drop(code: number, why: string): void;
}

/** What the log knows of an agent that was there before whoever speaks with it now. */
export interface RelayMemory {
  readonly uuids: Iterable<readonly [string, string]>;
  /** Messages of which something is stored: their words are not told again. */
  readonly messages: ReadonlySet<string>;
  /** What was answered to the agent's requests, by request. */
  readonly answers: ReadonlyMap<string, string>;
  /** Our messages that the agent has not shown to have, by uuid. */
  readonly unheard: ReadonlyMap<string, string>;
  /** What the agent asked and nobody has answered: the ids of its requests. */
  readonly asked: ReadonlySet<string>;
  /** All that the agent asked: the ids of its requests. */
  readonly requests: Iterable<string>;
}

/** How a message of ours to an agent begins. */
export const PROMPT_LINE_START = '{"type":"user"';
const nothing: RelayMemory = {
  uuids: [],
  messages: new Set(),
  answers: new Map(),
  unheard: new Map(),
  asked: new Set(),
  requests: [],
};

/**
 * Lines as Claude Code's `--sdk-url` sends them, without numbers or acknowledgements. What it repeats
 * after a reconnect is recognised by its uuid, a request by its id; what we said and it may not have heard is said again,
 * which is safe: it knows prompts by their uuid and requests by their id.
 */
export class PlainLines {
  readonly #wire: LineSink;
  readonly #frames = new FrameLines();
  readonly #uuids: Map<string, string>;
  readonly #toldMessages: ReadonlySet<string>;
  readonly #asked: ReadonlySet<string>;
  readonly #requests: Map<string, true>;
  /** The message that each lane is writing. */
  readonly #writing = new Map<string, string>();
  /** Our prompts and requests that the agent has not shown to have, by uuid or request id. */
  readonly #unheard: Map<string, string>;
  readonly #answers: Map<string, string>;
  /** Of other kinds, while nobody is connected. */
  #waiting: string[] = [];
  #isAttached = false;
  #probe = "";
  #lastSaid: string | null = null;

  constructor(wire: LineSink, remembered: RelayMemory = nothing) {
    this.#wire = wire;
    this.#uuids = new Map(remembered.uuids);
    this.#toldMessages = remembered.messages;
    this.#asked = remembered.asked;
    this.#requests = new Map([...remembered.requests].map((id) => [id, true]));
    this.#answers = new Map(remembered.answers);
    this.#unheard = new Map(remembered.unheard);
  }

  knows(uuid: string): boolean {
    return this.#uuids.has(uuid);
  }

  /** The last message that was heard, if it has an id. */
  get lastHeard(): string | undefined {
    return [...this.#uuids.keys()].at(-1);
  }

  /** A socket is there; `again`: after an earlier one. `lastSaid`: what the agent says it has said last. */
  attached(again: boolean, lastSaid: string | null): void {
    this.#frames.reset();
    this.#lastSaid = lastSaid;
    this.#isAttached = true;
    if (again) {
      // To this it answers that it is initialized, and what it waits for: it does not ask that again.
      this.#probe = `relay-${crypto.randomUUID()}`;
      this.#wire.put(`${requestLine(this.#probe, { subtype: "initialize" })}\n`);
    }
    for (const line of [...this.#unheard.values(), ...this.#waiting.splice(0)]) {
      this.#wire.put(`${line}\n`);
    }
  }

  detached(): void {
    this.#frames.reset();
    this.#isAttached = false;
  }

  received(text: string): void {
    const lines = this.#frames.push(text);
    if (lines) this.#wire.deliver(lines.filter((line) => this.#isNews(line)));
    else this.#wire.drop(1009, "A line is longer than 64 MiB.");
  }

  send(line: string): void {
    const body = parseObject(line);
    const isKept = typeof body !== "string" && this.#keep(body, line);
    if (this.#isAttached) this.#wire.put(`${line}\n`);
    else if (!isKept) this.#waiting.push(line);
  }

  #keep(body: JsonObject, line: string): boolean {
    const { type, uuid, request_id: request, response } = body;
    if (type === "user" && typeof uuid === "string") keep(this.#unheard, uuid, line, KEPT_PROMPTS);
    else if (type === "control_request" && typeof request === "string")
      this.#unheard.set(request, line);
    else if (type === "control_response" && isObject(response))
      keep(this.#answers, asText(response["request_id"]), line, KEPT_ANSWERS);
    else return false;
    return true;
  }

  #isNews(line: string): boolean {
    const body = parseObject(line);
    if (typeof body === "string") return true; // no message at all: kept and shown as such
    const { type, uuid, request_id: request } = body;
    if (type === "control_response") return this.#onAnswer(line, body);
    if (type === "control_request" && typeof request === "string") return this.#isAsked(request);
    if (type === "user" && typeof uuid === "string") this.#unheard.delete(uuid);
    if (type === "stream_event" && this.#isOldWord(body)) return false;
    if (typeof uuid === "string") {
      const print = fingerprintLine(type, line);
      if (this.#uuids.get(uuid) === print) return false;
      keep(this.#uuids, uuid, print, KNOWN_UUIDS);
    }
    if (type === "result") forgetFirst(this.#unheard);
    return true;
  }

  /** Words are not stored one by one, so after a restart their uuids are not known: the message is. */
  #isOldWord(body: JsonObject): boolean {
    if (this.#toldMessages.size === 0) return false;
    const lane = asText(body["parent_tool_use_id"]);
    const { event } = body;
    const message = isObject(event) && event["type"] === "message_start" && event["message"];
    if (isObject(message)) this.#writing.set(lane, asText(message["id"]));
    return this.#toldMessages.has(this.#writing.get(lane) ?? "");
  }

  /**
   * It waits with what it had asked when the last hub ended, and with nothing else. What it said last was a
   * word before that: those are not stored, and after a restart their uuids are not known.
   */
  #stillAsks(pending: readonly string[]): boolean {
    const ids = pending.map((line) => parseObject(line));
    const isOld = (body: JsonObject | string) =>
      typeof body !== "string" && this.#asked.has(asText(body["request_id"]));
    return ids.length > 0 && ids.every(isOld);
  }

  /** Who asks again what was answered has not heard the answer. */
  #isAsked(request: string): boolean {
    const answer = this.#answers.get(request);
    const isNew = !this.#requests.has(request);
    if (isNew) keep(this.#requests, request, true, KNOWN_REQUESTS);
    else if (answer !== undefined) this.#wire.put(`${answer}\n`);
    return isNew;
  }

  /** Whether it is for others: that the agent could be initialized again is not, and begins nothing anew. */
  #onAnswer(line: string, body: JsonObject): boolean {
    const { response } = body;
    if (!isObject(response)) return true;
    const id = asText(response["request_id"]);
    this.#unheard.delete(id);
    // What it repeats comes before this answer. 2.1.7 repeats nothing, whatever it says of itself.
    const isWhole = this.#lastSaid === null || this.#uuids.has(this.#lastSaid);
    const pending = readPendingRequests(decode(line));
    if (id === this.#probe && !isWhole && !this.#stillAsks(pending)) this.#wire.lost();
    for (const waiting of pending) {
      const request = parseObject(waiting);
      const answer =
        typeof request === "string" ? undefined : this.#answers.get(asText(request["request_id"]));
      if (answer !== undefined) this.#wire.put(`${answer}\n`);
    }
    return id !== this.#probe || response["subtype"] !== "success";
  }
}

/**
 * By what a line of the same uuid is told from one that is said again. The end of a turn is the same
 * whatever it says: 2.1.120 repeats it with the figures of all turns since.
 */
export function fingerprintLine(type: unknown, line: string): string {
  return type === "result" ? "result" : String(Bun.hash(line));
}

/** Without `--replay-user-messages` the end of a turn is all that shows that its prompt was heard. */
export function forgetFirst(unheard: Map<string, string>): void {
  for (const [id, line] of unheard) {
    if (!line.startsWith(PROMPT_LINE_START)) continue;
    unheard.delete(id);
    return;
  }
}

function keep<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
