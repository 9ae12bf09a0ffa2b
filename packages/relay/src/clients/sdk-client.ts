import {
  answerLine,
  cancelLine,
  decode,
  type HostAnswer,
  isObject,
  type JsonObject,
  parseObject,
  readAnswer,
  refusalLine,
  requestLine,
} from "@signalbox/protocol";
import {
  type AccessControl,
  type Engine,
  type RawListener,
  Refusal,
} from "@signalbox/hub/extension";
import { ClientVisit, type Speaker } from "./client-socket-handler.ts";
import { refuseNotServed } from "./unsupported-options.ts";
import { decisionOf, promptOf, requestOf } from "./translate.ts";

const STARTS_WITHIN_MS = 60_000;
const LOOK_MS = 50;
const NOT_SERVED = 4409;

export interface SdkRooms {
  readonly access: AccessControl;
  readonly engine: Engine;
  listen(listener: RawListener): () => void;
  /** What the session's agent answered when it was initialized. */
  initialized(session: string): Promise<HostAnswer<"initialize">>;
  entered(visit: SdkClient): () => void;
}

/**
 * An official SDK client at a session. To it the hub is the agent: its `initialize` is answered from what
 * the agent said to the hub's own, asks go to it as to everybody else, under ids of ours, and the first
 * answer wins; what it asks is answered to it alone.
 */
export class SdkClient extends ClientVisit {
  readonly #rooms: SdkRooms;
  readonly #session: string;
  #initialized = false;
  /** The asks that it was told of and that are open. */
  readonly #told = new Set<string>();

  constructor(rooms: SdkRooms, session: string, speaker: Speaker) {
    super(rooms.access, speaker);
    this.#rooms = rooms;
    this.#session = session;
  }

  protected entered(): () => void {
    const leave = this.#rooms.entered(this);
    const deafen = this.#rooms.listen((session, { from, text }) => {
      if (session !== this.#session || !this.#initialized) return;
      if (from === "agent" && isConversation(text)) this.say(text);
      if (from === "keeper") this.#tellAsks();
    });
    return () => {
      leave();
      deafen();
    };
  }

  #tellAsks(): void {
    const open = this.#rooms.engine.asks().filter(({ session }) => session === this.#session);
    for (const ask of open) {
      if (this.#told.has(ask.id)) continue;
      this.#told.add(ask.id);
      this.say(requestLine(ask.id, requestOf(ask)));
    }
    for (const id of this.#told) {
      if (open.some((ask) => ask.id === id)) continue;
      this.#told.delete(id);
      this.say(cancelLine(id));
    }
  }

  protected refused(body: JsonObject, why: string): void {
    const { request_id: id, request } = body;
    if (body["type"] === "control_request" && typeof id === "string") {
      this.say(refusalLine(id, why));
      // The SDK hears no refusal of its `initialize`: it would wait for ever, and its prompt be carried
      // out without the hooks that it takes to be in force.
      if (isObject(request) && request["subtype"] === "initialize") this.end(why, NOT_SERVED);
      return;
    }
    this.say({ type: "system", subtype: "notification", text: why, session_id: this.#session });
  }

  protected async take(body: JsonObject): Promise<void> {
    switch (body["type"]) {
      case "control_request":
        return this.#request(body);
      case "control_response":
        return this.#answer(body);
      case "user":
        return this.#prompt(body);
      default:
        return; // of the SDK's own keeping, such as keep_alive
    }
  }

  async #request({ request_id: id, request }: JsonObject): Promise<void> {
    const subtype = isObject(request) ? request["subtype"] : undefined;
    if (!isObject(request) || typeof subtype !== "string" || typeof id !== "string") {
      throw new Refusal(422, "bad-request", "A control request needs an id and a subtype.");
    }
    const { subtype: _, ...fields } = request;
    this.say(answerLine(id, (await this.#carryOut(subtype, fields)) ?? {}));
    if (subtype !== "initialize") return;
    this.#initialized = true;
    this.#tellAsks();
  }

  async #carryOut(subtype: string, fields: JsonObject): Promise<unknown> {
    const { engine } = this.#rooms;
    if (subtype === "initialize") return this.#initialize(fields);
    this.require("driver");
    if (subtype === "interrupt") return engine.interrupt(this.#session, this.actor);
    return engine.request(this.#session, subtype, fields, this.actor);
  }

  async #initialize(fields: JsonObject): Promise<HostAnswer<"initialize">> {
    refuseNotServed(fields);
    await this.#wake();
    return this.#rooms.initialized(this.#session);
  }

  /** A session that sleeps is woken by whoever comes to drive it. */
  async #wake(): Promise<void> {
    const { engine } = this.#rooms;
    const state = () => engine.session(this.#session).state;
    if (state() === "running" || this.actor.role === "viewer") return;
    if (state() !== "starting") await engine.wake(this.#session, this.actor);
    for (let waited = 0; waited < STARTS_WITHIN_MS && state() === "starting"; waited += LOOK_MS) {
      await Bun.sleep(LOOK_MS);
    }
  }

  async #prompt({ message, uuid }: JsonObject): Promise<void> {
    this.require("driver");
    const prompt = promptOf(message);
    if (!prompt) throw new Refusal(422, "bad-prompt", "A prompt is text, with images at most.");
    const id = typeof uuid === "string" ? uuid : crypto.randomUUID();
    await this.#rooms.engine.send(this.#session, id, prompt, this.actor);
  }

  async #answer(body: JsonObject): Promise<void> {
    const line = decode(JSON.stringify(body));
    if (line.kind !== "known" || line.message.type !== "control_response") return;
    const answer = readAnswer(line.message);
    const ask = this.#rooms.engine.asks().find(({ id }) => id === answer?.requestId);
    if (!answer || ask?.session !== this.#session) return; // somebody else was first
    this.require("approver");
    const decision = answer.ok
      ? decisionOf(ask, answer.value)
      : ({ behavior: "deny", message: answer.error } as const);
    if (!decision) throw new Refusal(422, "no-decision", "This answer decides nothing.");
    this.#told.delete(ask.id); // it knows what it decided
    const signed = this.signedDecision(ask, decision);
    const decided = { hash: ask.hash, decision };
    await this.#rooms.engine.answer(ask.id, decided, this.actor, undefined, signed);
  }
}

/** All but the control plane, which is the hub's own. */
function isConversation(text: string): boolean {
  if (text.startsWith('{"type":"stream_event"')) return true;
  const body = parseObject(text);
  const type = typeof body === "string" ? undefined : body["type"];
  return typeof type === "string" && !type.startsWith("control_");
}
