import { FrameLines, parseObject } from "@signalbox/protocol";
import { backOffMs, runEnd } from "@signalbox/runner";
import type { AgentSocket, AgentWire } from "../relay/agent-wire.ts";
import type { Agents } from "../relay/agents.ts";
import {
  agentLeft,
  connected,
  connectionBack,
  connectionLost,
  rotate,
  spoke,
  type Tabs,
} from "../relay/rotation.ts";
import { statusOf } from "./probe.ts";

const FIRST_MS = 2000; // with jitter: one to two seconds
const CAP_MS = 30_000;
const MOST_EARLY = 1000;
const content = new Set<unknown>(["assistant", "user", "result", "stream_event"]);

/** What a foreign relay's agents find here. */
export interface ForeignRooms {
  readonly agents: Agents;
  /** Which conversation is in which session, over all connections. */
  tabs: Tabs;
  /** Makes this session, unless it is there. */
  session(id: string): Promise<void>;
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
 * session here; one that nothing was said in leaves nothing behind.
 */
export class ForeignRelay implements Disposable {
  readonly port: number;
  readonly #rooms: ForeignRooms;
  readonly #id = crypto.randomUUID();
  readonly #options: ForeignOptions;
  #socket: WebSocket | undefined;
  #own: AgentSocket | undefined;
  #frames = new FrameLines();
  #session: string | undefined;
  #resumes: string | undefined;
  #wire: AgentWire | undefined;
  #lastSaid: string | null = null;
  #early: string[] = [];
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #work: Promise<void> = Promise.resolve();
  #wasThere = false;
  #over = false;
  state: "connecting" | "connected" | "away" = "connecting";

  constructor(port: number, rooms: ForeignRooms, options: ForeignOptions = {}) {
    this.port = port;
    this.#rooms = rooms;
    this.#options = options;
    this.#resumes = options.resumes;
    this.#dial();
  }

  #dial(): void {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/ws`);
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
      send: (text) => socket.send(text),
      close: () => {}, // a session that is over here leaves the relay to its other front ends
      answers: () => Promise.resolve(socket.readyState === WebSocket.OPEN),
    };
    const { tabs } = this.#rooms;
    if (this.#wasThere) this.#rooms.tabs = connectionBack(tabs, this.#id, crypto.randomUUID());
    this.#wasThere = true;
    const resumes = this.#resumes;
    this.#resumes = undefined;
    if (resumes === undefined) return;
    this.#work = this.#work.then(() => this.#resume(resumes)).catch(() => {});
  }

  /** Its agent has not noticed that the hub was away: what was its session is so still. */
  async #resume(session: string): Promise<void> {
    const rooms = this.#rooms;
    const back = await rooms.agents.awaited(session);
    if (!back || !this.#own) return;
    const { conversation, lastSaid } = back;
    rooms.tabs =
      conversation === null
        ? connected(rooms.tabs, this.#id, session)
        : rotate(rooms.tabs, this.#id, conversation, session).state;
    rooms.tabs = spoke(rooms.tabs, this.#id);
    this.#session = session;
    this.#lastSaid = lastSaid;
    this.#wire = await rooms.agents.enter(session, { life: undefined, lastSaid }, this.#own);
  }

  #lost(): void {
    this.state = "away";
    if (this.#own) this.#wire?.detach(this.#own, 1006);
    this.#own = undefined;
    this.#session = undefined; // where the next line belongs, its conversation decides
    this.#rooms.tabs = connectionLost(this.#rooms.tabs, this.#id);
    const ms = backOffMs(this.#attempt++, CAP_MS, Math.random(), this.#options.firstMs ?? FIRST_MS);
    this.#retry = setTimeout(() => this.#dial(), ms);
  }

  #received(text: string): void {
    const lines = this.#frames.take(text);
    if (!lines) return this.#socket?.close(1009);
    for (const line of lines) this.#work = this.#work.then(() => this.#take(line)).catch(() => {});
  }

  async #take(line: string): Promise<void> {
    const status = statusOf(line);
    if (status !== undefined)
      return status.endsWith("disconnected") ? this.#agentLeft() : undefined;
    const body = parseObject(line);
    const conversation = typeof body === "string" ? undefined : body["session_id"];
    if (typeof conversation === "string" && conversation !== "") {
      if (!(await this.#route(conversation))) return;
    }
    if (!this.#wire || this.#session === undefined) {
      if (this.#early.length < MOST_EARLY) this.#early.push(line); // whose it is, is not known yet
      return;
    }
    for (const each of [...this.#early.splice(0), line]) this.#deliver(each);
    if (typeof body === "string") return;
    if (typeof body["uuid"] === "string") this.#lastSaid = body["uuid"];
    if (content.has(body["type"])) this.#rooms.tabs = spoke(this.#rooms.tabs, this.#id);
  }

  #deliver(line: string): void {
    if (this.#own) this.#wire?.receive(this.#own, `${line}\n`);
  }

  /** Whether what this conversation says is let in. */
  async #route(conversation: string): Promise<boolean> {
    const rotation = rotate(this.#rooms.tabs, this.#id, conversation, crypto.randomUUID());
    this.#rooms.tabs = rotation.state;
    if (rotation.tab === undefined) return false;
    if (rotation.tab === this.#session && this.#wire?.isOver === false) return true;
    await this.#enter(rotation.tab);
    return true;
  }

  async #enter(session: string): Promise<void> {
    const { agents } = this.#rooms;
    await this.#rooms.session(session);
    if (!this.#own) return;
    const before = this.#wire;
    const isBack = before !== undefined && !before.isOver && !before.isConnected;
    this.#session = session;
    this.#options.onSession?.(session);
    if (isBack && this.#lastSaid !== null) {
      const claim = { life: undefined, lastSaid: this.#lastSaid };
      this.#wire = await agents.enter(session, claim, this.#own);
    } else {
      before?.release(runEnd("rotated", {}));
      this.#wire = agents.begin(session, undefined, this.#own, {});
    }
  }

  /** The relay's agent is gone, the relay is not. */
  #agentLeft(): void {
    this.#rooms.tabs = agentLeft(this.#rooms.tabs, this.#id);
    this.#wire?.release(runEnd("clean", {}));
    this.#wire = undefined;
    this.#session = undefined;
    this.#early = [];
  }

  /** The hub is stopping: the next one comes back. */
  leave(): void {
    this.#over = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  /** For good: what it owned is over. */
  [Symbol.dispose](): void {
    this.leave();
    this.#agentLeft();
  }
}
