import { type JsonObject, parseObject } from "@signalbox/protocol";
import type { HostAnswer } from "@signalbox/protocol/control";
import { ALREADY_INITIALIZED, FrameLines, isObject, requestLine } from "@signalbox/protocol/wire";
import { createRunEnd } from "@signalbox/host/launch";
import { closeSocket, type SocketHandler, HubRefusal, type Socket } from "@signalbox/hub/extension";
import { toAgentSocket } from "./agent-socket-handler.ts";
import type { AgentSocket, AgentTransport } from "../transport/agent-transport.ts";
import { type Agents, anonymousClaim } from "./agents.ts";
import { EarlyLines } from "../conversations/early-lines.ts";
import {
  onAgentLeft,
  onConnected,
  onConnectionLost,
  findHintedConversation,
  routeConversation,
  onContent,
  type Tabs,
} from "../conversations/rotation.ts";

const INITIALIZE_TIMEOUT_MS = 30_000;
const TOO_MUCH = "Too much data at once.";
const contentTypes = new Set<unknown>(["assistant", "user", "result", "stream_event"]);

/** Returns the function to call when the agent leaves, or refuses it with the reason. */
type ReservePlace = (refuse: (why: string) => void) => () => void;

/** What the relay offers to an agent at `/`. */
export interface RootServices {
  readonly agents: Agents;
  /** Which conversation is in which session, for all connections. */
  tabs: Tabs;
  /**
   * Creates a session for a conversation that has none. `own`: the session of the agent's secret.
   */
  newSession(own: string | undefined): Promise<string>;
  /** Whether an agent with this secret, or without one, may continue in that session. */
  mayReturn(session: string, own: string | undefined): Promise<boolean>;
  onRefused(session: string, refusal: HubRefusal): void;
  /**
   * Whether a connected agent, on any path, has this conversation in another session than this one.
   */
  isHeld(conversation: string, but: string | undefined): boolean;
  onQuarantined(session: string | undefined, conversation: string): void;
}

/**
 * The connection of an agent at `/`, where no path names its session. It is on the board once it
 * has answered `initialize`, and the conversations that it names decide where its lines go.
 */
export class RootSocketHandler implements SocketHandler {
  unansweredPings = 0;
  readonly #services: RootServices;
  readonly #id = crypto.randomUUID();
  readonly #initialize = `relay-${crypto.randomUUID()}`;
  /** The session of its secret, if it has one. */
  readonly #ownSession: string | undefined;
  readonly #lastMessageId: string | null;
  readonly #frames = new FrameLines();
  readonly #quarantinedIds = new Set<string>();
  /** Lines that arrived before the answer to `initialize`. */
  readonly #earlyLines = new EarlyLines();
  readonly #reservePlace: ReservePlace;
  #releasePlace: (() => void) | undefined;
  #socket: AgentSocket | undefined;
  #transport: AgentTransport | undefined;
  #initialized: HostAnswer<"initialize"> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closeCode: number | undefined;
  #pending: Promise<void> = Promise.resolve();

  constructor(
    services: RootServices,
    own: string | undefined,
    lastMessageId: string | null,
    place: ReservePlace,
  ) {
    this.#reservePlace = place;
    this.#lastMessageId = lastMessageId;
    this.#services = services;
    this.#ownSession = own;
  }

  onOpen(socket: Socket): void {
    let isLetIn = true;
    this.#releasePlace = this.#reservePlace((why) => {
      isLetIn = false;
      closeSocket(socket, 1013, why);
    });
    if (!isLetIn) return;
    this.#socket = toAgentSocket(socket);
    this.#pending = this.#onArrived(socket, this.#socket);
  }

  /** An agent that has sent messages before continues in its session; any other one is initialized. */
  async #onArrived(socket: Socket, own: AgentSocket): Promise<void> {
    const { agents } = this.#services;
    const lastMessageId = this.#lastMessageId;
    const mayReturn = (to: string) => this.#services.mayReturn(to, this.#ownSession);
    const session =
      lastMessageId === null ? undefined : await agents.findReturning(lastMessageId, mayReturn);
    if (session !== undefined) {
      this.#initialized = {};
      this.#takeOver(session);
      this.#useTransport(await agents.enter(session, { life: undefined, lastMessageId }, own));
      return;
    }
    own.send(`${requestLine(this.#initialize, { subtype: "initialize" })}\n`);
    const late = () =>
      closeSocket(socket, 4408, "The client did not answer initialize, so it is not an agent.");
    this.#timer = setTimeout(late, INITIALIZE_TIMEOUT_MS);
  }

  #takeOver(session: string): void {
    const before = this.#services.tabs.tabs.get(session);
    const conversation = before?.conversation;
    // The hub may not have noticed yet that the agent's old socket is dead.
    const tabs = before
      ? onConnectionLost(this.#services.tabs, before.connection)
      : this.#services.tabs;
    this.#services.tabs =
      conversation === undefined
        ? onConnected(tabs, this.#id, session)
        : routeConversation(tabs, this.#id, conversation, session).state;
  }

  #useTransport(transport: AgentTransport): void {
    this.#transport = transport;
    void this.#releaseTabsWhenOver(transport);
    if (this.#closeCode !== undefined) this.onClose(this.#closeCode);
  }

  async #releaseTabsWhenOver(transport: AgentTransport): Promise<void> {
    await transport.closed;
    if (this.#transport === transport)
      this.#services.tabs = onAgentLeft(this.#services.tabs, this.#id);
  }

  onMessage(text: string): void {
    if (!this.#socket) return;
    const lines = this.#frames.push(text);
    if (!lines) return this.#socket.close(1009, TOO_MUCH);
    for (const line of lines) this.#pending = this.#pending.then(() => this.#handleLine(line));
  }

  async #handleLine(line: string): Promise<void> {
    const body = parseObject(line);
    if (!this.#initialized) return this.#handleBeforeInitialized(line, body);
    const conversation =
      typeof body === "string" ? this.#findHintedConversation(line) : body["session_id"];
    if (typeof conversation === "string" && conversation !== "") {
      if (!(await this.#route(conversation))) return;
    }
    if (this.#socket) this.#transport?.receive(this.#socket, `${line}\n`);
    if (typeof body !== "string" && contentTypes.has(body["type"]))
      this.#services.tabs = onContent(this.#services.tabs, this.#id);
  }

  /** The conversation that a line of text names. One that another agent has is ignored. */
  #findHintedConversation(line: string): string | undefined {
    const { tabs } = this.#services;
    const conversation = findHintedConversation(tabs, this.#id, line);
    if (conversation === undefined) return undefined;
    return this.#services.isHeld(conversation, tabs.current.get(this.#id))
      ? undefined
      : conversation;
  }

  async #handleBeforeInitialized(line: string, body: JsonObject | string): Promise<void> {
    const answer =
      typeof body === "string" ? undefined : findInitializeAnswer(this.#initialize, body);
    if (!answer) {
      if (!this.#earlyLines.add(line)) this.#socket?.close(1009, TOO_MUCH);
      return;
    }
    clearTimeout(this.#timer);
    this.#initialized = answer;
    if (!(await this.#assignSession())) return;
    for (const early of this.#earlyLines.takeAll()) await this.#handleLine(early);
  }

  /** Now it gets a session: its own, unless another agent was faster, or a new one. */
  async #assignSession(): Promise<boolean> {
    const services = this.#services;
    const own = this.#ownSession;
    if (own === undefined || !this.#socket) {
      const session = await services.newSession(undefined);
      services.tabs = onConnected(services.tabs, this.#id, session);
      this.#startRun(session);
      return true;
    }
    const claim = { life: undefined, lastMessageId: null };
    try {
      const transport = await services.agents.claimAndEnter(
        own,
        claim,
        this.#socket,
        this.#initialized,
      );
      services.tabs = onConnected(services.tabs, this.#id, own);
      this.#useTransport(transport);
      return true;
    } catch (failure) {
      if (!(failure instanceof HubRefusal)) throw failure;
      services.onRefused(own, failure);
      this.#socket.close(4409, failure.message);
      this.#socket = undefined;
      return false;
    }
  }

  #startRun(session: string): void {
    if (!this.#socket) return;
    this.#useTransport(
      this.#services.agents.begin(session, anonymousClaim, this.#socket, this.#initialized),
    );
  }

  /** Whether messages of this conversation are accepted. */
  async #route(conversation: string): Promise<boolean> {
    const services = this.#services;
    const before = services.tabs.current.get(this.#id);
    if (await this.#isHeldElsewhere(conversation, before))
      return this.#quarantine(conversation, before);
    const known = services.tabs.byConversation.has(conversation);
    const fresh = known ? "" : await this.#makeSession(conversation);
    const rotation = routeConversation(services.tabs, this.#id, conversation, fresh);
    services.tabs = rotation.state;
    if (rotation.tab === undefined) return this.#quarantine(conversation, before);
    if (rotation.tab !== before) {
      this.#transport?.release(createRunEnd("rotated", {}));
      this.#startRun(rotation.tab);
    }
    return true;
  }

  /**
   * Whether the conversation belongs to an agent on a path of its own, or to one with another
   * secret that may return.
   */
  async #isHeldElsewhere(conversation: string, current: string | undefined): Promise<boolean> {
    const { tabs, byConversation } = this.#services.tabs;
    if (tabs.get(current ?? "")?.conversation === conversation) return false;
    if (this.#services.isHeld(conversation, current)) return true;
    const tab = tabs.get(byConversation.get(conversation) ?? "");
    if (!tab || tab.id === current || tab.status === "disconnected") return false;
    return !(await this.#services.mayReturn(tab.id, this.#ownSession));
  }

  #quarantine(conversation: string, session: string | undefined): false {
    if (!this.#quarantinedIds.has(conversation))
      this.#services.onQuarantined(session, conversation);
    this.#quarantinedIds.add(conversation);
    return false;
  }

  /** A session is created only when the rules for conversations need it. */
  async #makeSession(conversation: string): Promise<string> {
    const { tabs } = this.#services;
    const trial = routeConversation(tabs, this.#id, conversation, "new");
    return trial.tab === "new" ? this.#services.newSession(this.#ownSession) : "";
  }

  onClose(code = 1006): void {
    clearTimeout(this.#timer);
    this.#releasePlace?.();
    this.#releasePlace = undefined;
    this.#closeCode = code;
    if (!this.#socket || !this.#transport) return;
    this.#transport.detach(this.#socket, code);
    this.#services.tabs = onConnectionLost(this.#services.tabs, this.#id);
  }

  onHeartbeat(): void {}
}

/**
 * The answer to the hub's `initialize`. An agent that was initialized before has answered another
 * host.
 */
function findInitializeAnswer(id: string, body: JsonObject): HostAnswer<"initialize"> | undefined {
  const { type, response } = body;
  if (type !== "control_response" || !isObject(response) || response["request_id"] !== id) {
    return undefined;
  }
  if (response["error"] === ALREADY_INITIALIZED) return {};
  const answer = response["response"];
  return isObject(answer) ? answer : {};
}
