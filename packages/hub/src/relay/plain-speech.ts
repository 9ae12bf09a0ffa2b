import {
  type JsonObject,
  FrameLines,
  isObject,
  parseObject,
  pendingRequests,
  decode,
  requestLine,
} from "@signalbox/protocol";
import type { Introduction, Speech, Wire } from "./speech.ts";

/** The agent's own buffer holds a thousand; its words are repeated from there. */
const KNOWN_UUIDS = 5000;
const KEPT_ANSWERS = 500;
const KEPT_PROMPTS = 50;

/** What the log knows of an agent that was there before this hub was. */
export interface Remembered {
  readonly uuids: Iterable<readonly [string, string]>;
  /** Messages of which something is stored: their words are not told again. */
  readonly messages: ReadonlySet<string>;
  /** What was answered to the agent's requests, by request. */
  readonly answers: ReadonlyMap<string, string>;
  /** Our messages that the agent has not shown to have, by uuid. */
  readonly unheard: ReadonlyMap<string, string>;
}

/** How a message of ours to an agent begins. */
export const PROMPT = '{"type":"user"';
const nothing: Remembered = {
  uuids: [],
  messages: new Set(),
  answers: new Map(),
  unheard: new Map(),
};

/**
 * Lines as Claude Code's `--sdk-url` sends them, without numbers or acknowledgements. What it repeats
 * after a reconnect is recognised by its uuid; what we said and it may not have heard is said again,
 * which is safe: it knows prompts by their uuid and requests by their id.
 */
export class PlainSpeech implements Speech {
  readonly ready: Promise<Introduction> = Promise.resolve({});
  readonly #wire: Wire;
  readonly #frames = new FrameLines();
  readonly #uuids: Map<string, string>;
  readonly #toldMessages: ReadonlySet<string>;
  /** The message that each lane is writing. */
  readonly #writing = new Map<string, string>();
  /** Our prompts and requests that the agent has not shown to have, by uuid or request id. */
  readonly #unheard: Map<string, string>;
  readonly #answers: Map<string, string>;
  #probe = "";
  #lastSaid: string | null = null;

  constructor(wire: Wire, remembered: Remembered = nothing) {
    this.#wire = wire;
    this.#uuids = new Map(remembered.uuids);
    this.#toldMessages = remembered.messages;
    this.#answers = new Map(remembered.answers);
    this.#unheard = new Map(remembered.unheard);
  }

  knows(uuid: string): boolean {
    return this.#uuids.has(uuid);
  }

  attached(again: boolean, lastSaid: string | null): void {
    this.#frames.reset();
    this.#lastSaid = lastSaid;
    if (!again) {
      for (const line of this.#unheard.values()) this.#wire.put(`${line}\n`);
      return;
    }
    // To this it answers that it is initialized, and what it waits for: it does not ask that again.
    this.#probe = `relay-${crypto.randomUUID()}`;
    this.#wire.put(`${requestLine(this.#probe, { subtype: "initialize" })}\n`);
    for (const line of this.#unheard.values()) this.#wire.put(`${line}\n`);
  }

  detached(): void {
    this.#frames.reset();
  }

  received(text: string): void {
    const lines = this.#frames.take(text);
    if (lines) this.#wire.deliver(lines.filter((line) => this.#isNews(line)));
    else this.#wire.drop(1009, "A line is longer than 64 MiB.");
  }

  send(line: string): void {
    const body = parseObject(line);
    if (typeof body !== "string") this.#keep(body, line);
    this.#wire.put(`${line}\n`);
  }

  stored(): void {}

  stop(): boolean {
    return false;
  }

  #keep(body: JsonObject, line: string): void {
    const { type, uuid, request_id: request, response } = body;
    if (type === "user" && typeof uuid === "string") keep(this.#unheard, uuid, line, KEPT_PROMPTS);
    if (type === "control_request" && typeof request === "string") this.#unheard.set(request, line);
    if (type === "control_response" && isObject(response)) {
      keep(this.#answers, textOf(response["request_id"]), line, KEPT_ANSWERS);
    }
  }

  #isNews(line: string): boolean {
    const body = parseObject(line);
    if (typeof body === "string") return true; // no message at all: kept and shown as such
    const { type, uuid } = body;
    if (type === "control_response") this.#onAnswer(line, body);
    if (type === "result") forgetFirst(this.#unheard);
    if (typeof uuid !== "string") return true;
    if (type === "user") this.#unheard.delete(uuid);
    if (type === "stream_event" && this.#isOldWord(body)) return false;
    const print = String(Bun.hash(line));
    if (this.#uuids.get(uuid) === print) return false;
    keep(this.#uuids, uuid, print, KNOWN_UUIDS);
    return true;
  }

  /** Words are not stored one by one, so after a restart their uuids are not known: the message is. */
  #isOldWord(body: JsonObject): boolean {
    if (this.#toldMessages.size === 0) return false;
    const lane = textOf(body["parent_tool_use_id"]);
    const { event } = body;
    const message = isObject(event) && event["type"] === "message_start" && event["message"];
    if (isObject(message)) this.#writing.set(lane, textOf(message["id"]));
    return this.#toldMessages.has(this.#writing.get(lane) ?? "");
  }

  #onAnswer(line: string, body: JsonObject): void {
    const { response } = body;
    if (!isObject(response)) return;
    const id = textOf(response["request_id"]);
    this.#unheard.delete(id);
    // What it repeats comes before this answer. 2.1.7 repeats nothing, whatever it says of itself.
    const isWhole = this.#lastSaid === null || this.#uuids.has(this.#lastSaid);
    if (id === this.#probe && !isWhole) this.#wire.lost();
    for (const waiting of pendingRequests(decode(line))) {
      const request = parseObject(waiting);
      const answer =
        typeof request === "string" ? undefined : this.#answers.get(textOf(request["request_id"]));
      if (answer !== undefined) this.#wire.put(`${answer}\n`);
    }
  }
}

/** Without `--replay-user-messages` the end of a turn is all that shows that its prompt was heard. */
export function forgetFirst(unheard: Map<string, string>): void {
  for (const [id, line] of unheard) {
    if (!line.startsWith(PROMPT)) continue;
    unheard.delete(id);
    return;
  }
}

function keep(map: Map<string, string>, key: string, value: string, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
