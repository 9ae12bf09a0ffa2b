import type { HostAnswer } from "@signalbox/protocol/control";
import type { Driver, Run } from "@signalbox/host";
import { createLaunchError, createRunEnd } from "@signalbox/host/launch";
import { HubRefusal, type RelaySessions, type Store } from "@signalbox/hub/extension";
import {
  type AgentSocket,
  AgentTransport,
  capabilities,
  GRACE_MS,
  type AgentTransportOptions,
} from "../transport/agent-transport.ts";
import { type ExpectedAgent, ExpectedAgents } from "./expected-agents.ts";
import {
  readStoredProgress,
  readInitializeAnswer,
  readRelayMemory,
} from "../history/stored-history.ts";

const LOST =
  "The connection to the agent was interrupted, and what it printed in the meantime is lost, because this version does not repeat it.";
const TOO_LARGE =
  "The agent sent more than 64 MiB at once, so its connection was closed. That data is lost.";
const CONNECTION_CLOSED = "its connection was closed";
const relayActor = { name: "an agent that dialed in" };

interface AgentsOptions {
  readonly store: Store;
  readonly sessions: RelaySessions;
  readonly graceMs?: number;
  /** Whether lines of this session that the hub's previous process received are not stored yet. */
  readonly isBehind: (session: string) => boolean;
  /** An agent has connected for the first time, has reconnected, or has left for good. */
  readonly onAgent: (session: string, what: "connected" | "back" | "disconnected") => void;
}

/** How a connection identifies itself. */
export interface ConnectionClaim {
  readonly life: string | undefined;
  /** `X-Last-Request-Id`: the id of the last message that this agent has sent. */
  readonly lastMessageId: string | null;
  /** The connection is to a foreign relay, of which the hub is a front end. */
  readonly hasOtherHost?: boolean;
}

/** The agents that dialed in, by session: which agent holds a session, and which ones are expected back. */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #graceMs: number;
  readonly #transports = new Map<string, AgentTransport>();
  /** The agents that were connected to the hub's previous process. */
  readonly expected: ExpectedAgents;

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.expected = new ExpectedAgents({ ...options, graceMs: this.#graceMs });
  }

  /**
   * The driver of the agents' runs. It starts nothing: the agent is connected already, or expected.
   */
  readonly driver: Driver = {
    name: "relay",
    capabilities,
    startsAgents: false,
    start: async ({ runRef }): Promise<Run> => {
      const session = runRef?.session ?? "";
      const expected = this.expected.get(session);
      const transport = expected ? await expected.transport.promise : this.#transports.get(session);
      if (!transport || transport.isOver) throw createLaunchError("not-connected", {});
      return transport.startRun();
    },
    giveUp: ({ runRef }) => {
      const session = runRef?.session ?? "";
      const stopped = createLaunchError("stopped", { how: CONNECTION_CLOSED });
      if (!this.expected.giveUp(session, stopped)) void this.#transports.get(session)?.close();
    },
  };

  isConnected(session: string): boolean {
    return this.#transports.get(session)?.isConnected ?? false;
  }

  /** Tells the engine whether the agent of a session is connected. */
  #reportDialState(session: string): void {
    const transport = this.#transports.get(session);
    const state = transport && { connected: transport.isConnected, since: transport.since };
    this.#options.sessions.setDialState(session, state);
  }

  /** Checks that a connection may have its session. Throws the refusal. */
  async checkClaim(session: string, claim: ConnectionClaim): Promise<void> {
    if (this.#options.isBehind(session)) throw historyNotStored();
    const transport = this.#transports.get(session);
    if (claim.life !== undefined) await this.#refuseEnded(session, claim.life);
    if (!transport?.isConnected || transport.belongsTo(claim.life, claim.lastMessageId)) return;
    if (!(await transport.isResponsive())) return;
    const detail =
      "Another agent is connected to this session. Stop that agent first, or use another session.";
    throw new HubRefusal(409, "session-held", detail);
  }

  async #refuseEnded(session: string, life: string): Promise<void> {
    const run = await this.#options.store.run(life);
    if (!run || (run.session === session && run.endedAt === null)) return;
    throw new HubRefusal(410, "life-over", "This agent's run has ended. Start a new one.");
  }

  /**
   * Finds, among the sessions to which the agent may return, the one whose agent has sent this
   * message. If nobody knows the message, it may have been lost in transit; then it is the only
   * session whose agent is away.
   */
  async findReturning(
    lastMessageId: string,
    mayReturn: (session: string) => Promise<boolean>,
  ): Promise<string | undefined> {
    const away: string[] = [];
    for (const [session, transport] of this.#transports) {
      if (transport.isOver || transport.life !== undefined || !(await mayReturn(session))) continue;
      if (transport.hasSent(lastMessageId)) return session;
      if (!transport.isConnected) away.push(session);
    }
    for (const [session, { row }] of this.expected) {
      if (!(await mayReturn(session))) continue;
      const { uuids } = await readRelayMemory(this.#options.store, session, row.run);
      if ([...uuids].some(([uuid]) => uuid === lastMessageId)) return session;
      away.push(session);
    }
    return away.length === 1 ? away[0] : undefined;
  }

  /**
   * What is known of an agent of the hub's previous process that is expected back in this session.
   */
  async getExpected(
    session: string,
  ): Promise<{ conversation: string | null; lastMessageId: string } | undefined> {
    const row = this.expected.get(session)?.row;
    if (!row) return undefined;
    const { uuids } = await readRelayMemory(this.#options.store, session, row.run);
    return { conversation: row.conversation, lastMessageId: [...uuids].at(-1)?.[0] ?? "" };
  }

  /**
   * Like `enter`, but checks again, because another agent may have connected in the meantime.
   * Throws the refusal.
   */
  async claimAndEnter(
    session: string,
    claim: ConnectionClaim,
    socket: AgentSocket,
    initialized?: HostAnswer<"initialize">,
  ): Promise<AgentTransport> {
    for (;;) {
      const holder = this.#transports.get(session);
      await this.checkClaim(session, claim);
      if (holder !== this.#transports.get(session)) continue;
      return this.enter(session, claim, socket, initialized);
    }
  }

  /** An admitted connection has been opened. Returns the receiver of its lines. */
  async enter(
    session: string,
    claim: ConnectionClaim,
    socket: AgentSocket,
    initialized?: HostAnswer<"initialize">,
  ): Promise<AgentTransport> {
    const known = this.#transports.get(session);
    if (known?.isConnected && !known.belongsTo(claim.life, claim.lastMessageId)) {
      known.drop(4409, "Another connection now holds this session."); // it did not answer any more
    }
    if (known && !known.isOver && known.belongsTo(claim.life, claim.lastMessageId)) {
      known.attach(socket, claim.lastMessageId);
      this.#options.onAgent(session, "back");
      return known;
    }
    known?.end(createRunEnd("replaced", {}));
    const expected = this.expected.get(session);
    if (expected && isReturning(expected, claim)) return this.#resume(expected, claim, socket);
    this.expected.giveUp(session, createLaunchError("replaced", {}));
    return this.begin(session, claim, socket, initialized);
  }

  async #resume(
    expected: ExpectedAgent,
    claim: ConnectionClaim,
    socket: AgentSocket,
  ): Promise<AgentTransport> {
    const { store, sessions } = this.#options;
    const { id, run } = expected.row;
    this.expected.remove(id);
    const [initialized, { pendingRequests, ...remembered }, counted] = await Promise.all([
      readInitializeAnswer(store, id, run),
      readRelayMemory(store, id, run),
      sessions.getStoredSeq(id).then((seq) => readStoredProgress(store, id, run, seq)),
    ]);
    // An agent whose initialization was interrupted is initialized again. If it had been
    // initialized, its answer says so.
    const isStarted = sessions.findRow(id)?.state === "running";
    const known = isStarted && { initialized: initialized ?? {} };
    const before = { ...known, remembered, counted, pendingRequests };
    const transport = this.#openTransport(id, claim, { previous: before });
    transport.attach(socket, claim.lastMessageId === "" ? null : claim.lastMessageId); // it has not spoken yet
    expected.transport.resolve(transport);
    void this.#forgetWhenOver(id, transport);
    return transport;
  }

  /** A new life: its run begins as soon as the previous run has ended. */
  begin(
    session: string,
    claim: ConnectionClaim,
    socket: AgentSocket,
    initialized?: HostAnswer<"initialize">,
  ): AgentTransport {
    const transport = this.#openTransport(session, claim, initialized && { initialized });
    transport.attach(socket);
    void this.#forgetWhenOver(session, transport, this.#startRun(session, transport));
    return transport;
  }

  async #startRun(session: string, transport: AgentTransport): Promise<void> {
    const { sessions } = this.#options;
    try {
      await sessions.waitForRunEnd(session);
      await sessions.start(session, relayActor, transport.life);
    } catch {
      transport.drop(1013, "The hub cannot begin a run at the moment. Try again later.");
    }
  }

  #openTransport(
    session: string,
    { life, hasOtherHost = false }: ConnectionClaim,
    known: Pick<AgentTransportOptions, "previous" | "initialized"> = {},
  ): AgentTransport {
    const { sessions, onAgent } = this.#options;
    const transport = new AgentTransport({
      ...known,
      ...(life !== undefined && { life }),
      hasOtherHost,
      graceMs: this.#graceMs,
      onLost: () => void sessions.reportLoss(session, LOST).catch(() => {}),
      onLinesMissing: (lines) =>
        void sessions.reportLoss(session, describeMissing(lines)).catch(() => {}),
      onTooLarge: () => void sessions.addRemark(session, TOO_LARGE).catch(() => {}),
      onChange: () => this.#reportDialState(session),
    });
    this.#transports.set(session, transport);
    this.#reportDialState(session);
    onAgent(session, "connected");
    return transport;
  }

  /** An agent that has left before its run began still has a run to end. */
  async #forgetWhenOver(
    session: string,
    transport: AgentTransport,
    begun?: Promise<void>,
  ): Promise<void> {
    await transport.closed;
    const { sessions, onAgent } = this.#options;
    onAgent(session, "disconnected");
    await begun;
    await sessions.waitForRunEnd(session).catch(() => {}); // deleted
    transport.hangUp();
    if (this.#transports.get(session) === transport) this.#transports.delete(session);
    this.#reportDialState(session);
  }

  /**
   * Closes the connections of these sessions. Their agents have to reconnect with a credential that
   * is valid now.
   */
  async disconnect(isMeant: (session: string) => Promise<boolean>): Promise<void> {
    for (const [session, transport] of this.#transports) {
      if (await isMeant(session)) transport.drop(4401, "The secret of this session was replaced.");
    }
  }

  onStored(session: string, count: number): void {
    this.#transports.get(session)?.stored(count);
  }

  /** The hub is stopping, and agents connect to the next process. */
  shutDown(): void {
    this.expected.stopWaiting();
    for (const transport of this.#transports.values()) transport.detachForShutdown();
  }
}

function describeMissing(lines: number): string {
  const what = lines === 1 ? "One line of the agent is" : `${lines} lines of the agent are`;
  return `${what} missing. This hub, or another one at its address, had acknowledged them and no longer has them.`;
}

/** The store does not take the lines that say how far the agent had come. */
function historyNotStored(): HubRefusal {
  const detail =
    "The hub has not yet stored the lines that it received from this agent before its restart. Try again later.";
  return new HubRefusal(503, "not-yet", detail);
}

/** The facts about an agent that connects without any information about itself. */
export const anonymousClaim: ConnectionClaim = { life: undefined, lastMessageId: null };

/** An agent of the plain protocol that has sent nothing yet cannot be told from its successor, so it starts a new run. */
function isReturning({ row }: ExpectedAgent, { life, lastMessageId }: ConnectionClaim): boolean {
  return life === undefined ? lastMessageId !== null : life === row.run;
}
