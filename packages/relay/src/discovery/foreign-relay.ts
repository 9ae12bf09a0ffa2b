import { FrameLines, parseObject } from "@signalbox/protocol";
import { backoffDelayMs } from "@signalbox/protocol/backoff";
import { PROMPT } from "@signalbox/host/plain-lines";
import { runEnd } from "@signalbox/host";
import type { AgentSocket, AgentWire } from "../transport/agent-transport.ts";
import type { Agents, Claim } from "../agents/agents.ts";
import { EarlyLines } from "../conversations/early-lines.ts";
import {
  agentLeft,
  connected,
  connectionBack,
  connectionLost,
  hintedConversation,
  rotate,
  spoke,
  type Tabs,
} from "../conversations/rotation.ts";
import { frontEndOf, hubAt, PATIENT_MS, statusOf } from "./probe.ts";

const FIRST_MS = 2000; // with jitter: one to two seconds
const CAP_MS = 30_000;
const content = new Set<unknown>(["assistant", "user", "result", "stream_event"]);

/** An agent whose host is somebody else. */
const theirs: Claim = { life: undefined, lastSaid: null, hostedElsewhere: true };

/** What a foreign relay's agents find here. */
export interface ForeignRooms {
  readonly agents: Agents;
  /** Which conversation is in which session, over all connections. */
  tabs: Tabs;
  /** Makes this session, unless it is there. */
  session(id: string): Promise<void>;
  /** Settles when no run of this session lives. */
  over(id: string): Promise<void>;
  /** Deletes this session, of which no run lives, if nothing was said in it. Says whether it is gone. */
  deleteIfEmpty(id: string): Promise<boolean>;
  /** Whether a connected agent, wherever it came in, has this conversation in another session than this. */
  isHeld(conversation: string, but: string | undefined): boolean;
  /** What this conversation says is not let in. */
  quarantined(session: string | undefined, conversation: string): void;
}

/** A session in which the relay's agent is, and its life there. */
interface Seat {
  readonly session: string;
  readonly wire: AgentWire;
}

export interface ForeignOptions {
  /** The session that was its current one in the hub's last life. */
  readonly resumes?: string;
  /** Another session has become its current one. */
  readonly onSession?: (session: string) => void;
  readonly firstMs?: number;
}

/**
 * A relay of somebody else's, to which we are a front end. Every conversation that passes there is a
 * session here. An agent that waits for its first prompt, before which it says nothing, has one as well,
 * in which it can be prompted; where nothing was said, nothing is left behind.
 */
export class ForeignRelay implements Disposable {
  readonly port: number;
  readonly #rooms: ForeignRooms;
  readonly #id = crypto.randomUUID();
  readonly #options: ForeignOptions;
  #socket: WebSocket | undefined;
  #own: AgentSocket | undefined;
  #frames = new FrameLines();
  #seat: Seat | undefined;
  /** The agent is in its seat. Else it is away, or who is there now has not said who it is. */
  #isSeated = false;
  /** The session of an agent that nobody has prompted and that has not said its conversation. */
  #placeholder: string | undefined;
  #resumes: string | undefined;
  #lastSaid: string | null = null;
  readonly #early = new EarlyLines();
  readonly #held = new Set<string>();
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #work: Promise<void> = Promise.resolve();
  #wasThere = false;
  #over = false;
  state: "connecting" | "connected" | "away" = "connecting";
  /** Whether an agent is connected to it, as far as it has said. */
  agent: "connected" | "none" = "none";

  constructor(port: number, rooms: ForeignRooms, options: ForeignOptions = {}) {
    this.port = port;
    this.#rooms = rooms;
    this.#options = options;
    this.#resumes = options.resumes;
    if (options.resumes !== undefined)
      this.#clearAfter(rooms.over(options.resumes), options.resumes);
    void this.#dial();
  }

  /** Since the last time a hub may have taken the relay's place: that one is left alone. */
  async #dial(): Promise<void> {
    const there = await hubAt(this.port, PATIENT_MS);
    if (this.#over) return;
    if (typeof there === "object") return this.#lost();
    const socket = frontEndOf(this.port);
    this.#socket = socket;
    const isOurs = () => socket === this.#socket && !this.#over;
    socket.addEventListener("open", () => isOurs() && this.#opened(socket));
    socket.addEventListener("message", ({ data }) => {
      if (isOurs() && typeof data === "string") this.#received(data);
    });
    socket.addEventListener("error", () => {}); // its close follows
    socket.addEventListener("close", () => isOurs() && this.#lost());
  }

  #opened(socket: WebSocket): void {
    this.state = "connected";
    this.#attempt = 0;
    this.#frames = new FrameLines();
    this.#own = {
      send: (text) => {
        if (text.startsWith(PROMPT)) this.#prompted();
        socket.send(text);
      },
      close: () => {}, // a session that is over here leaves the relay to its other front ends
      answers: () => Promise.resolve(socket.readyState === WebSocket.OPEN),
    };
    const { tabs } = this.#rooms;
    const fresh = this.#placeholder ?? crypto.randomUUID();
    if (this.#wasThere) this.#rooms.tabs = connectionBack(tabs, this.#id, fresh);
    this.#wasThere = true;
    const resumes = this.#resumes;
    this.#resumes = undefined;
    if (resumes !== undefined) this.#do(() => this.#resume(resumes));
  }

  /** One after another; what fails is over, and the next goes on. */
  #do(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(() => {});
  }

  /** Its agent has not noticed that the hub was away: what was its session is so still. */
  async #resume(session: string): Promise<void> {
    const rooms = this.#rooms;
    const back = await rooms.agents.awaited(session);
    if (!back || !this.#own) return;
    const { conversation, lastSaid } = back;
    rooms.tabs =
      conversation === null
        ? connected(rooms.tabs, this.#id, session) // it has not spoken yet
        : spoke(rotate(rooms.tabs, this.#id, conversation, session).state, this.#id);
    this.#lastSaid = lastSaid;
    this.#sit(session, await rooms.agents.enter(session, { ...theirs, lastSaid }, this.#own));
  }

  #lost(): void {
    this.state = "away";
    this.agent = "none";
    if (this.#own) this.#seat?.wire.detach(this.#own, 1006);
    this.#own = undefined;
    this.#isSeated = false; // where the next line belongs, its conversation decides
    this.#rooms.tabs = connectionLost(this.#rooms.tabs, this.#id);
    const { firstMs = FIRST_MS } = this.#options;
    const ms = backoffDelayMs(this.#attempt++, { firstMs, maxMs: CAP_MS });
    this.#retry = setTimeout(() => void this.#dial(), ms);
  }

  #received(text: string): void {
    const lines = this.#frames.push(text);
    if (!lines) return this.#socket?.close(1009);
    for (const line of lines) this.#do(() => this.#take(line));
  }

  async #take(line: string): Promise<void> {
    const status = statusOf(line);
    if (status !== undefined) {
      return status.endsWith("disconnected") ? this.#agentLeft() : this.#agentThere(status);
    }
    this.agent = "connected"; // none of the relay's own words: an agent's
    const body = parseObject(line);
    const conversation = typeof body === "string" ? this.#hinted(line) : body["session_id"];
    if (typeof conversation === "string" && conversation !== "") {
      if (!(await this.#route(conversation))) return;
    }
    if (!this.#isSeated) {
      this.#early.add(line); // whose it is, is not known yet
      return;
    }
    for (const each of [...this.#early.takeAll(), line]) this.#deliver(each);
    if (typeof body === "string") return;
    if (typeof body["uuid"] === "string") this.#lastSaid = body["uuid"];
    if (content.has(body["type"])) this.#rooms.tabs = spoke(this.#rooms.tabs, this.#id);
  }

  /** The conversation that a line of mere text hints at; one that another agent has is ignored. */
  #hinted(line: string): string | undefined {
    const conversation = hintedConversation(this.#rooms.tabs, this.#id, line);
    if (conversation === undefined) return undefined;
    return this.#rooms.isHeld(conversation, this.#seat?.session) ? undefined : conversation;
  }

  #deliver(line: string): void {
    if (this.#own) this.#seat?.wire.receive(this.#own, `${line}\n`);
  }

  /**
   * It may be prompted. After a break it is taken for the one that was here, until it says otherwise;
   * one that has come when that one's time was over is another.
   */
  async #agentThere(status: string): Promise<void> {
    this.agent = "connected";
    const isOver = this.#seat?.wire.isOver ?? true;
    if (this.#isSeated && !isOver) return;
    const wasHere = status.endsWith(" is connected");
    if (this.#seat && (wasHere || !isOver)) return this.#enter(this.#seat.session);
    this.#placeholder = crypto.randomUUID();
    await this.#enter(this.#placeholder);
  }

  /** What the agent says next is the answer, and belongs where the prompt is. */
  #prompted(): void {
    if (this.#placeholder === undefined) return;
    this.#rooms.tabs = connected(this.#rooms.tabs, this.#id, this.#placeholder);
    this.#placeholder = undefined;
  }

  /** Whether what this conversation says is let in. */
  async #route(conversation: string): Promise<boolean> {
    const fresh = this.#placeholder ?? crypto.randomUUID();
    const { state, tab } = rotate(this.#rooms.tabs, this.#id, conversation, fresh);
    const session = this.#seat?.session;
    const isOthers = tab !== session && this.#rooms.isHeld(conversation, session);
    if (tab === undefined || isOthers) return this.#quarantine(conversation);
    this.#rooms.tabs = state;
    this.#placeholder = undefined;
    const isThere = this.#isSeated && this.#seat?.session === tab && !this.#seat.wire.isOver;
    if (!isThere) await this.#enter(tab);
    return true;
  }

  #quarantine(conversation: string): false {
    if (!this.#held.has(conversation)) {
      this.#rooms.quarantined(this.#seat?.session, conversation);
    }
    this.#held.add(conversation);
    return false;
  }

  async #enter(session: string): Promise<void> {
    await this.#rooms.session(session);
    if (!this.#own) return this.#clear(session);
    const before = this.#seat;
    this.#options.onSession?.(session);
    if (before?.session === session && !before.wire.isOver) {
      before.wire.attach(this.#own, this.#lastSaid);
      this.#isSeated = true;
    } else {
      before?.wire.release(runEnd("rotated", {}));
      this.#sit(session, this.#rooms.agents.begin(session, theirs, this.#own, {}));
    }
  }

  #sit(session: string, wire: AgentWire): void {
    this.#seat = { session, wire };
    this.#isSeated = true;
    this.#clearAfter(wire.writtenDown, session);
  }

  #clearAfter(over: Promise<void>, session: string): void {
    void over.then(() => this.#do(() => this.#clear(session))).catch(() => {}); // deleted
  }

  /** Unless the agent has come back there meanwhile. */
  async #clear(session: string): Promise<void> {
    const isSeat = this.#seat?.session === session;
    if (isSeat && this.#seat?.wire.isOver === false) return;
    if (isSeat) this.#isSeated = false;
    const isGone = await this.#rooms.deleteIfEmpty(session);
    if (isSeat && isGone) this.#seat = undefined;
  }

  /** The relay's agent is gone, the relay is not. */
  #agentLeft(): void {
    this.agent = "none";
    this.#rooms.tabs = agentLeft(this.#rooms.tabs, this.#id);
    this.#seat?.wire.release(runEnd("clean", {}));
    this.#seat = undefined;
    this.#isSeated = false;
    this.#placeholder = undefined;
    this.#early.takeAll();
  }

  /** The hub is stopping: the next one comes back. */
  leave(): void {
    this.#over = true;
    clearTimeout(this.#retry);
    this.#own = undefined;
    this.#socket?.close();
  }

  /** For good: what it owned is over. */
  [Symbol.dispose](): void {
    this.leave();
    this.#agentLeft();
  }
}
