import {
  ALREADY_INITIALIZED,
  type HostAnswer,
  FrameLines,
  isObject,
  type JsonObject,
  parseObject,
  requestLine,
} from "@signalbox/protocol";
import { runEnd } from "@signalbox/host";
import { closeSocket, type SocketHandler, Refusal, type Socket } from "@signalbox/hub/extension";
import { agentSocket } from "./agent-socket-handler.ts";
import type { AgentSocket, AgentWire } from "../transport/agent-transport.ts";
import { type Agents, nobodyYet } from "./agents.ts";
import { EarlyLines } from "../conversations/early-lines.ts";
import {
  agentLeft,
  connected,
  connectionLost,
  hintedConversation,
  rotate,
  spoke,
  type Tabs,
} from "../conversations/rotation.ts";

const ANSWERS_WITHIN_MS = 30_000;
const TOO_MUCH = "Too much at once.";
const content = new Set<unknown>(["assistant", "user", "result", "stream_event"]);

/** Gives back what is to be done when it leaves; or refuses it, with the reason. */
export type Place = (refuse: (why: string) => void) => () => void;

/** What an agent at `/` finds. */
export interface RootRooms {
  readonly agents: Agents;
  /** Which conversation is in which session, over all connections. */
  tabs: Tabs;
  /** Makes a session for a conversation that has none. `own`: the session of the agent's secret. */
  newSession(own: string | undefined): Promise<string>;
  /** Whether an agent with this secret, or with none, may go on in that session. */
  mayReturn(session: string, own: string | undefined): Promise<boolean>;
  refused(session: string, refusal: Refusal): void;
  /** Whether a connected agent, wherever it came in, has this conversation in another session than this. */
  isHeld(conversation: string, but: string | undefined): boolean;
  quarantined(session: string | undefined, conversation: string): void;
}

/**
 * A connection of an agent at `/`, as the seeds have it: no path says whose it is. It is on the board when
 * it has answered `initialize`, and the conversations that it names decide where its lines go.
 */
export class RootVisit implements SocketHandler {
  unansweredPings = 0;
  readonly #rooms: RootRooms;
  readonly #id = crypto.randomUUID();
  readonly #initialize = `relay-${crypto.randomUUID()}`;
  /** The session of its secret, where it has one. */
  readonly #own: string | undefined;
  readonly #lastSaid: string | null;
  readonly #frames = new FrameLines();
  readonly #held = new Set<string>();
  /** What came before the answer to `initialize`. */
  readonly #early = new EarlyLines();
  readonly #place: Place;
  #leave: (() => void) | undefined;
  #socket: AgentSocket | undefined;
  #wire: AgentWire | undefined;
  #initialized: HostAnswer<"initialize"> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #code: number | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(rooms: RootRooms, own: string | undefined, lastSaid: string | null, place: Place) {
    this.#place = place;
    this.#lastSaid = lastSaid;
    this.#rooms = rooms;
    this.#own = own;
  }

  onOpen(socket: Socket): void {
    let isLetIn = true;
    this.#leave = this.#place((why) => {
      isLetIn = false;
      closeSocket(socket, 1013, why);
    });
    if (!isLetIn) return;
    this.#socket = agentSocket(socket);
    this.#work = this.#arrive(socket, this.#socket);
  }

  /** One that has spoken before goes on where it was; any other is greeted. */
  async #arrive(socket: Socket, own: AgentSocket): Promise<void> {
    const { agents } = this.#rooms;
    const lastSaid = this.#lastSaid;
    const mayReturn = (to: string) => this.#rooms.mayReturn(to, this.#own);
    const session = lastSaid === null ? undefined : await agents.findReturning(lastSaid, mayReturn);
    if (session !== undefined) {
      this.#initialized = {};
      this.#takeOver(session);
      this.#hold(await agents.enter(session, { life: undefined, lastSaid }, own));
      return;
    }
    own.send(`${requestLine(this.#initialize, { subtype: "initialize" })}\n`);
    const late = () => closeSocket(socket, 4408, "No answer to initialize: this is no agent.");
    this.#timer = setTimeout(late, ANSWERS_WITHIN_MS);
  }

  #takeOver(session: string): void {
    const before = this.#rooms.tabs.tabs.get(session);
    const conversation = before?.conversation;
    // Its old socket may not have been missed yet.
    const tabs = before ? connectionLost(this.#rooms.tabs, before.connection) : this.#rooms.tabs;
    this.#rooms.tabs =
      conversation === undefined
        ? connected(tabs, this.#id, session)
        : rotate(tabs, this.#id, conversation, session).state;
  }

  #hold(wire: AgentWire): void {
    this.#wire = wire;
    void this.#whenOver(wire);
    if (this.#code !== undefined) this.onClose(this.#code);
  }

  async #whenOver(wire: AgentWire): Promise<void> {
    await wire.closed;
    if (this.#wire === wire) this.#rooms.tabs = agentLeft(this.#rooms.tabs, this.#id);
  }

  onMessage(text: string): void {
    if (!this.#socket) return;
    const lines = this.#frames.push(text);
    if (!lines) return this.#socket.close(1009, TOO_MUCH);
    for (const line of lines) this.#work = this.#work.then(() => this.#take(line));
  }

  async #take(line: string): Promise<void> {
    const body = parseObject(line);
    if (!this.#initialized) return this.#greet(line, body);
    const conversation = typeof body === "string" ? this.#hinted(line) : body["session_id"];
    if (typeof conversation === "string" && conversation !== "") {
      if (!(await this.#route(conversation))) return;
    }
    if (this.#socket) this.#wire?.receive(this.#socket, `${line}\n`);
    if (typeof body !== "string" && content.has(body["type"]))
      this.#rooms.tabs = spoke(this.#rooms.tabs, this.#id);
  }

  /** The conversation that a line of mere text hints at; one that another agent has is ignored. */
  #hinted(line: string): string | undefined {
    const { tabs } = this.#rooms;
    const conversation = hintedConversation(tabs, this.#id, line);
    if (conversation === undefined) return undefined;
    return this.#rooms.isHeld(conversation, tabs.current.get(this.#id)) ? undefined : conversation;
  }

  async #greet(line: string, body: JsonObject | string): Promise<void> {
    const answer = typeof body === "string" ? undefined : answerTo(this.#initialize, body);
    if (!answer) {
      if (!this.#early.add(line)) this.#socket?.close(1009, TOO_MUCH);
      return;
    }
    clearTimeout(this.#timer);
    this.#initialized = answer;
    if (!(await this.#settle())) return;
    for (const early of this.#early.takeAll()) await this.#take(early);
  }

  /** It has a session now: its own, unless another agent was faster, or a new one. */
  async #settle(): Promise<boolean> {
    const rooms = this.#rooms;
    const own = this.#own;
    if (own === undefined || !this.#socket) {
      const session = await rooms.newSession(undefined);
      rooms.tabs = connected(rooms.tabs, this.#id, session);
      this.#begin(session);
      return true;
    }
    const claim = { life: undefined, lastSaid: null };
    try {
      const wire = await rooms.agents.take(own, claim, this.#socket, this.#initialized);
      rooms.tabs = connected(rooms.tabs, this.#id, own);
      this.#hold(wire);
      return true;
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure;
      rooms.refused(own, failure);
      this.#socket.close(4409, failure.message);
      this.#socket = undefined;
      return false;
    }
  }

  #begin(session: string): void {
    if (!this.#socket) return;
    this.#hold(this.#rooms.agents.begin(session, nobodyYet, this.#socket, this.#initialized));
  }

  /** Whether what this conversation says is let in. */
  async #route(conversation: string): Promise<boolean> {
    const rooms = this.#rooms;
    const before = rooms.tabs.current.get(this.#id);
    if (await this.#isOthers(conversation, before)) return this.#quarantine(conversation, before);
    const known = rooms.tabs.byConversation.has(conversation);
    const fresh = known ? "" : await this.#sessionFor(conversation);
    const rotation = rotate(rooms.tabs, this.#id, conversation, fresh);
    rooms.tabs = rotation.state;
    if (rotation.tab === undefined) return this.#quarantine(conversation, before);
    if (rotation.tab !== before) {
      this.#wire?.release(runEnd("rotated", {}));
      this.#begin(rotation.tab);
    }
    return true;
  }

  /** Whether an agent on a path of its own has it, or one that came with another secret and may come back. */
  async #isOthers(conversation: string, current: string | undefined): Promise<boolean> {
    const { tabs, byConversation } = this.#rooms.tabs;
    if (tabs.get(current ?? "")?.conversation === conversation) return false;
    if (this.#rooms.isHeld(conversation, current)) return true;
    const tab = tabs.get(byConversation.get(conversation) ?? "");
    if (!tab || tab.id === current || tab.status === "disconnected") return false;
    return !(await this.#rooms.mayReturn(tab.id, this.#own));
  }

  #quarantine(conversation: string, session: string | undefined): false {
    if (!this.#held.has(conversation)) this.#rooms.quarantined(session, conversation);
    this.#held.add(conversation);
    return false;
  }

  /** A session is made only when the rules will want it. */
  async #sessionFor(conversation: string): Promise<string> {
    const { tabs } = this.#rooms;
    const trial = rotate(tabs, this.#id, conversation, "new");
    return trial.tab === "new" ? this.#rooms.newSession(this.#own) : "";
  }

  onClose(code = 1006): void {
    clearTimeout(this.#timer);
    this.#leave?.();
    this.#leave = undefined;
    this.#code = code;
    if (!this.#socket || !this.#wire) return;
    this.#wire.detach(this.#socket, code);
    this.#rooms.tabs = connectionLost(this.#rooms.tabs, this.#id);
  }

  onHeartbeat(): void {}
}

/** The answer to our `initialize`; an agent that was initialized before has said it to somebody else. */
function answerTo(id: string, body: JsonObject): HostAnswer<"initialize"> | undefined {
  const { type, response } = body;
  if (type !== "control_response" || !isObject(response) || response["request_id"] !== id) {
    return undefined;
  }
  if (response["error"] === ALREADY_INITIALIZED) return {};
  const answer = response["response"];
  return isObject(answer) ? answer : {};
}
