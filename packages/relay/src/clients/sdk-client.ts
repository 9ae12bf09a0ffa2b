import { decode, type JsonObject, parseObject } from "@signalbox/protocol";
import type { HostAnswer } from "@signalbox/protocol/control";
import {
  answerLine,
  cancelLine,
  isObject,
  readAnswer,
  refusalLine,
  requestLine,
} from "@signalbox/protocol/wire";
import {
  type AccessControl,
  type Engine,
  type RawListener,
  HubRefusal,
} from "@signalbox/hub/extension";
import { ClientSocketHandler, type ClientIdentity } from "./client-socket-handler.ts";
import { refuseUnsupportedOptions } from "./unsupported-options.ts";
import { parseDecision, parsePrompt, formatRequest } from "./translate.ts";

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const NOT_SERVED = 4409;

export interface SdkClientServices {
  readonly access: AccessControl;
  readonly engine: Engine;
  listen(listener: RawListener): () => void;
  /** The answer of the session's agent when it was initialized. */
  readInitialized(session: string): Promise<HostAnswer<"initialize">>;
  onEntered(visit: SdkClientHandler): () => void;
}

/**
 * An official SDK client at a session. For the client the hub is the agent: its `initialize` is
 * answered with the agent's answer to the hub's own. It gets all asks, under ids of the hub, and
 * the first answer wins. Answers to its requests go to it alone.
 */
export class SdkClientHandler extends ClientSocketHandler {
  readonly #services: SdkClientServices;
  readonly #session: string;
  #initialized = false;
  /** The open asks that the client has received. */
  readonly #toldAsks = new Set<string>();

  constructor(services: SdkClientServices, session: string, identity: ClientIdentity) {
    super(services.access, identity);
    this.#services = services;
    this.#session = session;
  }

  protected onEntered(): () => void {
    const leave = this.#services.onEntered(this);
    const stopListening = this.#services.listen((session, { from, text }) => {
      if (session !== this.#session || !this.#initialized) return;
      if (from === "agent" && isConversation(text)) this.sendLine(text);
      if (from === "keeper") this.#syncAsks();
    });
    return () => {
      leave();
      stopListening();
    };
  }

  #syncAsks(): void {
    const open = this.#services.engine.asks
      .list()
      .filter(({ session }) => session === this.#session);
    for (const ask of open) {
      if (this.#toldAsks.has(ask.id)) continue;
      this.#toldAsks.add(ask.id);
      this.sendLine(requestLine(ask.id, formatRequest(ask)));
    }
    for (const id of this.#toldAsks) {
      if (open.some((ask) => ask.id === id)) continue;
      this.#toldAsks.delete(id);
      this.sendLine(cancelLine(id));
    }
  }

  protected onRefused(body: JsonObject, why: string): void {
    const { request_id: id, request } = body;
    if (body["type"] === "control_request" && typeof id === "string") {
      this.sendLine(refusalLine(id, why));
      // The SDK ignores a refused `initialize`: it would wait for ever, and its prompt would run
      // without the hooks that the client expects. Therefore it is disconnected.
      if (isObject(request) && request["subtype"] === "initialize") this.end(why, NOT_SERVED);
      return;
    }
    this.sendLine({
      type: "system",
      subtype: "notification",
      text: why,
      session_id: this.#session,
    });
  }

  protected async handleMessage(body: JsonObject): Promise<void> {
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
      throw new HubRefusal(422, "bad-request", "A control request needs an id and a subtype.");
    }
    const { subtype: _, ...fields } = request;
    this.sendLine(answerLine(id, (await this.#execute(subtype, fields)) ?? {}));
    if (subtype !== "initialize") return;
    this.#initialized = true;
    this.#syncAsks();
  }

  async #execute(subtype: string, fields: JsonObject): Promise<unknown> {
    const { engine } = this.#services;
    if (subtype === "initialize") return this.#initialize(fields);
    this.require("driver");
    if (subtype === "interrupt") return engine.sessions.interrupt(this.#session, this.actor);
    return engine.sessions.request(this.#session, subtype, fields, this.actor);
  }

  async #initialize(fields: JsonObject): Promise<HostAnswer<"initialize">> {
    refuseUnsupportedOptions(fields);
    await this.#wake();
    return this.#services.readInitialized(this.#session);
  }

  /** A parked session is woken by a client that may drive it. */
  async #wake(): Promise<void> {
    const { engine } = this.#services;
    const state = () => engine.sessions.get(this.#session).state;
    if (state() === "running" || this.actor.role === "viewer") return;
    if (state() !== "starting") await engine.sessions.wake(this.#session, this.actor);
    for (let waited = 0; waited < START_TIMEOUT_MS && state() === "starting"; waited += POLL_MS) {
      await Bun.sleep(POLL_MS);
    }
  }

  async #prompt({ message, uuid }: JsonObject): Promise<void> {
    this.require("driver");
    const prompt = parsePrompt(message);
    if (!prompt)
      throw new HubRefusal(422, "bad-prompt", "A prompt can contain only text and images.");
    const id = typeof uuid === "string" ? uuid : crypto.randomUUID();
    await this.#services.engine.prompts.send(this.#session, id, prompt, this.actor);
  }

  async #answer(body: JsonObject): Promise<void> {
    const line = decode(JSON.stringify(body));
    if (line.kind !== "known" || line.message.type !== "control_response") return;
    const answer = readAnswer(line.message);
    const ask = this.#services.engine.asks.list().find(({ id }) => id === answer?.requestId);
    if (!answer || ask?.session !== this.#session) return; // somebody else was first
    this.require("approver");
    const decision = answer.ok
      ? parseDecision(ask, answer.value)
      : ({ behavior: "deny", message: answer.error } as const);
    if (!decision) throw new HubRefusal(422, "no-decision", "This answer contains no decision.");
    this.#toldAsks.delete(ask.id); // it knows what it decided
    const signed = this.signedDecision(ask, decision);
    const decided = { hash: ask.hash, decision };
    await this.#services.engine.asks.answer(ask.id, decided, this.actor, undefined, signed);
  }
}

/** Everything except the control plane, which belongs to the hub. */
function isConversation(text: string): boolean {
  if (text.startsWith('{"type":"stream_event"')) return true;
  const body = parseObject(text);
  const type = typeof body === "string" ? undefined : body["type"];
  return typeof type === "string" && !type.startsWith("control_");
}
