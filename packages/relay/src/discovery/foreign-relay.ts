import { parseObject } from "@signalbox/protocol";
import { FrameLines } from "@signalbox/protocol/wire";
import { backoffDelayMs } from "@signalbox/protocol/backoff";
import { PROMPT_LINE_START } from "@signalbox/host/plain-lines";
import { createRunEnd } from "@signalbox/host/launch";
import type { AgentSocket, AgentTransport } from "../transport/agent-transport.ts";
import type { Agents, ConnectionClaim } from "../agents/agents.ts";
import { EarlyLines } from "../conversations/early-lines.ts";
import {
  onAgentLeft,
  onConnected,
  onConnectionBack,
  onConnectionLost,
  findHintedConversation,
  routeConversation,
  onContent,
  type Tabs,
} from "../conversations/rotation.ts";
import { openFrontEndSocket, probeHub, PATIENT_TIMEOUT_MS, readRelayStatus } from "./probe.ts";

const FIRST_DELAY_MS = 2000; // with jitter: one to two seconds
const MAX_DELAY_MS = 30_000;
const contentTypes = new Set<unknown>(["assistant", "user", "result", "stream_event"]);

/** An agent that belongs to another host. */
const foreignClaim: ConnectionClaim = {
  life: undefined,
  lastMessageId: null,
  hasOtherHost: true,
};

/** What the hub offers to the agents of a foreign relay. */
export interface ForeignRelayServices {
  readonly agents: Agents;
  /** Which conversation is in which session, for all connections. */
  tabs: Tabs;
  /** Creates this session unless it exists. */
  ensureSession(id: string): Promise<void>;
  /** Settles when no run of this session is alive. */
  waitUntilOver(id: string): Promise<void>;
  /**
   * Deletes this session, which has no live run, if nothing was said in it. Returns whether it is
   * gone.
   */
  deleteIfEmpty(id: string): Promise<boolean>;
  /**
   * Whether a connected agent, on any path, has this conversation in another session than this one.
   */
  isHeld(conversation: string, but: string | undefined): boolean;
  /** Messages of this conversation are not accepted. */
  onQuarantined(session: string | undefined, conversation: string): void;
}

/** The session that holds the relay's agent, and the life of that agent there. */
interface CurrentSession {
  readonly session: string;
  readonly transport: AgentTransport;
}

interface ForeignRelayOptions {
  /** The session that was current in the hub's previous process. */
  readonly resumes?: string;
  /** Another session has become the current one. */
  readonly onSession?: (session: string) => void;
  readonly firstMs?: number;
}

/**
 * A foreign relay, of which the hub is a front end. Every conversation that passes there is a
 * session here. An agent that waits for its first prompt, before which it prints nothing, has a
 * session as well, in which it can be prompted. If nothing was said, nothing is left behind.
 */
export class ForeignRelay implements Disposable {
  readonly port: number;
  readonly #services: ForeignRelayServices;
  readonly #id = crypto.randomUUID();
  readonly #options: ForeignRelayOptions;
  #socket: WebSocket | undefined;
  #agentSocket: AgentSocket | undefined;
  #frames = new FrameLines();
  #current: CurrentSession | undefined;
  /**
   * Whether the agent is known to be in the current session. Otherwise it is away, or the agent
   * that is connected now has not named its conversation.
   */
  #isCurrentConfirmed = false;
  /** The session of an agent that nobody has prompted and that has not named its conversation. */
  #placeholder: string | undefined;
  #resumes: string | undefined;
  #lastMessageId: string | null = null;
  readonly #earlyLines = new EarlyLines();
  readonly #quarantinedIds = new Set<string>();
  #attempt = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pending: Promise<void> = Promise.resolve();
  #wasConnected = false;
  #isOver = false;
  state: "connecting" | "connected" | "away" = "connecting";
  /** Whether the relay has an agent, according to its last status. */
  agent: "connected" | "none" = "none";

  constructor(port: number, services: ForeignRelayServices, options: ForeignRelayOptions = {}) {
    this.port = port;
    this.#services = services;
    this.#options = options;
    this.#resumes = options.resumes;
    if (options.resumes !== undefined)
      this.#deleteIfEmptyAfter(services.waitUntilOver(options.resumes), options.resumes);
    void this.#connect();
  }

  /** Since the last connection a hub may have taken the relay's place. A hub is left alone. */
  async #connect(): Promise<void> {
    const there = await probeHub(this.port, PATIENT_TIMEOUT_MS);
    if (this.#isOver) return;
    if (typeof there === "object") return this.#onClosed();
    const socket = openFrontEndSocket(this.port);
    this.#socket = socket;
    const isOurs = () => socket === this.#socket && !this.#isOver;
    socket.addEventListener("open", () => isOurs() && this.#onOpen(socket));
    socket.addEventListener("message", ({ data }) => {
      if (isOurs() && typeof data === "string") this.#onMessage(data);
    });
    socket.addEventListener("error", () => {}); // its close follows
    socket.addEventListener("close", () => isOurs() && this.#onClosed());
  }

  #onOpen(socket: WebSocket): void {
    this.state = "connected";
    this.#attempt = 0;
    this.#frames = new FrameLines();
    this.#agentSocket = {
      send: (text) => {
        if (text.startsWith(PROMPT_LINE_START)) this.#onPrompt();
        socket.send(text);
      },
      close: () => {}, // a session that is over here leaves the relay to its other front ends
      respondsToPing: () => Promise.resolve(socket.readyState === WebSocket.OPEN),
    };
    const { tabs } = this.#services;
    const fresh = this.#placeholder ?? crypto.randomUUID();
    if (this.#wasConnected) this.#services.tabs = onConnectionBack(tabs, this.#id, fresh);
    this.#wasConnected = true;
    const resumes = this.#resumes;
    this.#resumes = undefined;
    if (resumes !== undefined) this.#enqueue(() => this.#resume(resumes));
  }

  /** Runs one task after another. A failed task does not stop the next. */
  #enqueue(work: () => Promise<void>): void {
    this.#pending = this.#pending.then(work).catch(() => {});
  }

  /** The agent has not noticed that the hub was away, so its session is still the current one. */
  async #resume(session: string): Promise<void> {
    const services = this.#services;
    const back = await services.agents.getExpected(session);
    if (!back || !this.#agentSocket) return;
    const { conversation, lastMessageId } = back;
    services.tabs =
      conversation === null
        ? onConnected(services.tabs, this.#id, session) // it has not spoken yet
        : onContent(
            routeConversation(services.tabs, this.#id, conversation, session).state,
            this.#id,
          );
    this.#lastMessageId = lastMessageId;
    this.#setCurrent(
      session,
      await services.agents.enter(session, { ...foreignClaim, lastMessageId }, this.#agentSocket),
    );
  }

  #onClosed(): void {
    this.state = "away";
    this.agent = "none";
    if (this.#agentSocket) this.#current?.transport.detach(this.#agentSocket, 1006);
    this.#agentSocket = undefined;
    this.#isCurrentConfirmed = false; // where the next line belongs, its conversation decides
    this.#services.tabs = onConnectionLost(this.#services.tabs, this.#id);
    const { firstMs = FIRST_DELAY_MS } = this.#options;
    const ms = backoffDelayMs(this.#attempt++, { firstMs, maxMs: MAX_DELAY_MS });
    this.#retryTimer = setTimeout(() => void this.#connect(), ms);
  }

  #onMessage(text: string): void {
    const lines = this.#frames.push(text);
    if (!lines) return this.#socket?.close(1009);
    for (const line of lines) this.#enqueue(() => this.#handleLine(line));
  }

  async #handleLine(line: string): Promise<void> {
    const status = readRelayStatus(line);
    if (status !== undefined) {
      return status.endsWith("disconnected") ? this.#onAgentLeft() : this.#onAgentPresent(status);
    }
    this.agent = "connected"; // none of the relay's own words: an agent's
    const body = parseObject(line);
    const conversation =
      typeof body === "string" ? this.#findHintedConversation(line) : body["session_id"];
    if (typeof conversation === "string" && conversation !== "") {
      if (!(await this.#route(conversation))) return;
    }
    if (!this.#isCurrentConfirmed) {
      this.#earlyLines.add(line); // whose it is, is not known yet
      return;
    }
    for (const each of [...this.#earlyLines.takeAll(), line]) this.#deliver(each);
    if (typeof body === "string") return;
    if (typeof body["uuid"] === "string") this.#lastMessageId = body["uuid"];
    if (contentTypes.has(body["type"]))
      this.#services.tabs = onContent(this.#services.tabs, this.#id);
  }

  /** The conversation that a line of text names. One that another agent has is ignored. */
  #findHintedConversation(line: string): string | undefined {
    const conversation = findHintedConversation(this.#services.tabs, this.#id, line);
    if (conversation === undefined) return undefined;
    return this.#services.isHeld(conversation, this.#current?.session) ? undefined : conversation;
  }

  #deliver(line: string): void {
    if (this.#agentSocket) this.#current?.transport.receive(this.#agentSocket, `${line}\n`);
  }

  /**
   * The agent can be prompted. After an interruption it is taken for the same agent until it says
   * otherwise; one that connects after the grace period is another.
   */
  async #onAgentPresent(status: string): Promise<void> {
    this.agent = "connected";
    const isOver = this.#current?.transport.isOver ?? true;
    if (this.#isCurrentConfirmed && !isOver) return;
    const wasHere = status.endsWith(" is connected");
    if (this.#current && (wasHere || !isOver)) return this.#enter(this.#current.session);
    this.#placeholder = crypto.randomUUID();
    await this.#enter(this.#placeholder);
  }

  /** The agent's next message is the answer, and belongs to the session of the prompt. */
  #onPrompt(): void {
    if (this.#placeholder === undefined) return;
    this.#services.tabs = onConnected(this.#services.tabs, this.#id, this.#placeholder);
    this.#placeholder = undefined;
  }

  /** Whether messages of this conversation are accepted. */
  async #route(conversation: string): Promise<boolean> {
    const fresh = this.#placeholder ?? crypto.randomUUID();
    const { state, tab } = routeConversation(this.#services.tabs, this.#id, conversation, fresh);
    const session = this.#current?.session;
    const isOthers = tab !== session && this.#services.isHeld(conversation, session);
    if (tab === undefined || isOthers) return this.#quarantine(conversation);
    this.#services.tabs = state;
    this.#placeholder = undefined;
    const isThere =
      this.#isCurrentConfirmed && this.#current?.session === tab && !this.#current.transport.isOver;
    if (!isThere) await this.#enter(tab);
    return true;
  }

  #quarantine(conversation: string): false {
    if (!this.#quarantinedIds.has(conversation)) {
      this.#services.onQuarantined(this.#current?.session, conversation);
    }
    this.#quarantinedIds.add(conversation);
    return false;
  }

  async #enter(session: string): Promise<void> {
    await this.#services.ensureSession(session);
    if (!this.#agentSocket) return this.#deleteIfEmpty(session);
    const before = this.#current;
    this.#options.onSession?.(session);
    if (before?.session === session && !before.transport.isOver) {
      before.transport.attach(this.#agentSocket, this.#lastMessageId);
      this.#isCurrentConfirmed = true;
    } else {
      before?.transport.release(createRunEnd("rotated", {}));
      this.#setCurrent(
        session,
        this.#services.agents.begin(session, foreignClaim, this.#agentSocket, {}),
      );
    }
  }

  #setCurrent(session: string, transport: AgentTransport): void {
    this.#current = { session, transport };
    this.#isCurrentConfirmed = true;
    this.#deleteIfEmptyAfter(transport.recorded, session);
  }

  #deleteIfEmptyAfter(over: Promise<void>, session: string): void {
    void over.then(() => this.#enqueue(() => this.#deleteIfEmpty(session))).catch(() => {}); // deleted
  }

  /** Unless the agent has returned to that session in the meantime. */
  async #deleteIfEmpty(session: string): Promise<void> {
    const isSeat = this.#current?.session === session;
    if (isSeat && this.#current?.transport.isOver === false) return;
    if (isSeat) this.#isCurrentConfirmed = false;
    const isGone = await this.#services.deleteIfEmpty(session);
    if (isSeat && isGone) this.#current = undefined;
  }

  /** The relay's agent has left; the relay has not. */
  #onAgentLeft(): void {
    this.agent = "none";
    this.#services.tabs = onAgentLeft(this.#services.tabs, this.#id);
    this.#current?.transport.release(createRunEnd("clean", {}));
    this.#current = undefined;
    this.#isCurrentConfirmed = false;
    this.#placeholder = undefined;
    this.#earlyLines.takeAll();
  }

  /** The hub is stopping, and its next process attaches again. */
  disconnect(): void {
    this.#isOver = true;
    clearTimeout(this.#retryTimer);
    this.#agentSocket = undefined;
    this.#socket?.close();
  }

  /** Detaches for good: everything that the connection owned is over. */
  [Symbol.dispose](): void {
    this.disconnect();
    this.#onAgentLeft();
  }
}
