import type { AskView } from "@signalbox/api";
import { decode, type JsonObject } from "@signalbox/protocol";
import { answerLine, isObject, readAnswer, refusalLine } from "@signalbox/protocol/wire";
import { type AccessControl, type Engine, HubRefusal } from "@signalbox/hub/extension";
import { ClientSocketHandler, type ClientIdentity } from "./client-socket-handler.ts";
import { refuseUnsupportedOptions } from "./unsupported-options.ts";
import { parseDecision, parsePrompt } from "./translate.ts";

/** What the relay offers to a front end. */
export interface FrontEndServices {
  readonly access: AccessControl;
  readonly engine: Engine;
  /** Sessions whose agent is connected, the newest last. */
  listConnected(): string[];
  /** The session for an agent's id of a conversation, or the hub's id of a session. */
  findSession(id: string): string | undefined;
  onArrived(visit: FrontEndHandler): () => void;
}

/**
 * A front end such as agents-ui: it receives the agents' lines unchanged and the relay's `status`
 * messages, and uses the agents' own protocol, in every known spelling.
 */
export class FrontEndHandler extends ClientSocketHandler {
  readonly #services: FrontEndServices;

  constructor(services: FrontEndServices, identity: ClientIdentity) {
    super(services.access, identity);
    this.#services = services;
  }

  protected onEntered(): () => void {
    const leave = this.#services.onArrived(this);
    queueMicrotask(() => {
      if (this.#services.listConnected().length > 0) this.onAgentPresent();
    });
    return leave;
  }

  /** An agent has connected, or the last one has left. */
  onAgentChange(what: "connected" | "disconnected"): void {
    this.#knowsOfAgent = what === "connected";
    this.sendStatus(`claude code ${what}`);
  }

  /**
   * An agent was connected before the front end, or has returned. Tells a front end that knows of
   * none.
   */
  onAgentPresent(): void {
    if (this.#knowsOfAgent) return;
    this.#knowsOfAgent = true;
    this.sendStatus("claude code is connected");
  }
  #knowsOfAgent = false;

  sendStatus(text: string): void {
    this.sendLine({ type: "status", text });
  }

  onAgentLine(text: string): void {
    this.sendLine(text);
  }

  protected onRefused(body: JsonObject, why: string): void {
    const { request_id: id } = body;
    if (body["type"] === "control_request" && typeof id === "string")
      this.sendLine(refusalLine(id, why));
    else this.sendStatus(`refused: ${why}`);
  }

  protected async handleMessage(body: JsonObject): Promise<void> {
    switch (body["type"]) {
      case "user":
        return this.#prompt(body);
      case "control_response":
        return this.#answer(body);
      case "control_request":
        return this.#request(body);
      case "keep_alive":
        return;
      default:
        throw new HubRefusal(
          422,
          "unknown-message",
          "The relay supports only prompts, answers and control requests.",
        );
    }
  }

  async #prompt(body: JsonObject): Promise<void> {
    this.require("driver");
    const prompt = parsePrompt(body["message"]);
    if (!prompt)
      throw new HubRefusal(422, "bad-prompt", "A prompt can contain only text and images.");
    const { uuid } = body;
    const id = typeof uuid === "string" && isUuid(uuid) ? uuid : crypto.randomUUID();
    await this.#services.engine.prompts.send(this.#selectSession(body), id, prompt, this.actor);
  }

  async #answer(body: JsonObject): Promise<void> {
    this.require("approver");
    const line = decode(JSON.stringify(body));
    const answer =
      line.kind === "known" && line.message.type === "control_response"
        ? readAnswer(line.message)
        : undefined;
    const ask = answer && this.#findAsk(answer.requestId);
    if (!answer || !ask) {
      throw new HubRefusal(409, "nothing-asked", "No request waits for this answer.");
    }
    const denied = { behavior: "deny" } as const;
    const decision = answer.ok ? parseDecision(ask, answer.value) : denied;
    if (!decision) throw new HubRefusal(422, "no-decision", "This answer contains no decision.");
    await this.#services.engine.asks.answer(ask.id, { hash: ask.hash, decision }, this.actor);
  }

  #findAsk(requestId: string): AskView | undefined {
    const services = this.#services;
    return services.engine.asks
      .list()
      .find(
        (ask) => ask.requestId === requestId && services.findSession(ask.session) !== undefined,
      );
  }

  /** Some front ends send requests without an id. They are carried out without an answer. */
  async #request(body: JsonObject): Promise<void> {
    this.require("driver");
    const { request_id: id, request } = body;
    const subtype = isObject(request) ? request["subtype"] : undefined;
    if (!isObject(request) || typeof subtype !== "string") {
      throw new HubRefusal(422, "bad-request", "A control request needs a subtype.");
    }
    const { subtype: _, ...fields } = request;
    const session = this.#selectSession(body);
    const value = await this.#execute(session, subtype, fields);
    if (typeof id === "string") this.sendLine(answerLine(id, value ?? {}));
  }

  async #execute(session: string, subtype: string, fields: JsonObject): Promise<unknown> {
    const { engine } = this.#services;
    if (subtype === "initialize") return refuseUnsupportedOptions(fields); // the hub has done the rest
    if (subtype === "interrupt") return engine.sessions.interrupt(session, this.actor);
    return engine.sessions.request(session, subtype, fields, this.actor);
  }

  /** The agent that the message names, or else the one that connected last. */
  #selectSession(body: JsonObject): string {
    const { session_id: named } = body;
    const isNamed = typeof named === "string" && named !== "";
    const session = isNamed
      ? this.#services.findSession(named)
      : this.#services.listConnected().at(-1);
    if (session !== undefined) return session;
    if (!isNamed) throw new HubRefusal(409, "no-agent", "No agent is connected.");
    const detail =
      "No connected agent has this session_id. Nothing was passed on. A message without session_id goes to the agent that connected last.";
    throw new HubRefusal(404, "no-such-session", detail);
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
function isUuid(text: string): boolean {
  return uuid.test(text);
}
