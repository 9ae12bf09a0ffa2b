import type { HostAnswer } from "@signalbox/protocol";
import { type Driver, launchFailed, type Run, runEnd } from "@signalbox/host";
import { Refusal, type RelaySessions, type Store } from "@signalbox/hub/extension";
import {
  type AgentSocket,
  AgentWire,
  capabilities,
  GRACE_MS,
  type WireOptions,
} from "../transport/agent-transport.ts";
import { type Expected, ExpectedAgents } from "./expected-agents.ts";
import { countedOf, initializeAnswer, rememberedOf } from "../history/stored-history.ts";

const LOST =
  "The line to the agent broke, and what it said meanwhile is lost: this version does not say it again.";
const TOO_BIG =
  "The agent sent more than 64 MiB at once, and was hung up on; what it sent so is lost.";
const HUNG_UP = "its connection was closed";
const by = { name: "an agent that dialled in" };

export interface AgentsOptions {
  readonly store: Store;
  readonly sessions: RelaySessions;
  readonly graceMs?: number;
  /** Whether the hub's last life had left lines of this session that are not stored yet. */
  readonly isBehind: (session: string) => boolean;
  /** An agent has come for the first time, has come back, or is gone for good. */
  readonly onAgent: (session: string, what: "connected" | "back" | "disconnected") => void;
}

/** How a connection names itself. */
export interface Claim {
  readonly life: string | undefined;
  /** `X-Last-Request-Id`: the last that this agent has said. */
  readonly lastSaid: string | null;
  /** It is another relay's, to which we are a front end. */
  readonly hostedElsewhere?: boolean;
}

/** The agents that dialled in, by session: who holds which, who is expected back. */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #graceMs: number;
  readonly #wires = new Map<string, AgentWire>();
  /** Those of the hub's last life. */
  readonly expected: ExpectedAgents;

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.expected = new ExpectedAgents({ ...options, graceMs: this.#graceMs });
    options.sessions.dialled = (session) => this.#dialled(session);
  }

  /** The driver of their runs: the agent is there already, or expected. */
  readonly driver: Driver = {
    name: "relay",
    capabilities,
    startsAgents: false,
    start: async ({ of }): Promise<Run> => {
      const session = of?.session ?? "";
      const expected = this.expected.get(session);
      const wire = expected ? await expected.wire.promise : this.#wires.get(session);
      if (!wire || wire.isOver) throw launchFailed("not-connected", {});
      return wire.begin();
    },
    giveUp: ({ of }) => {
      const session = of?.session ?? "";
      const stopped = launchFailed("stopped", { how: HUNG_UP });
      if (!this.expected.giveUp(session, stopped)) void this.#wires.get(session)?.close();
    },
  };

  isConnected(session: string): boolean {
    return this.#wires.get(session)?.isConnected ?? false;
  }

  #dialled(session: string) {
    const row = this.#options.sessions.findRow(session);
    if (row?.driver !== "relay") return undefined;
    const wire = this.#wires.get(session);
    if (wire) return { connected: wire.isConnected, since: wire.since };
    return { connected: false, since: row.createdAt };
  }

  /** Says whether a connection may have its session. Throws the refusal. */
  async claim(session: string, claim: Claim): Promise<void> {
    if (this.#options.isBehind(session)) throw notYet();
    const wire = this.#wires.get(session);
    if (claim.life !== undefined) await this.#refuseEnded(session, claim.life);
    if (!wire?.isConnected || wire.isSame(claim.life, claim.lastSaid)) return;
    if (!(await wire.isHeld())) return;
    const detail =
      "Another agent is connected to this session. One at a time: end that one first, or use a session of your own.";
    throw new Refusal(409, "session-held", detail);
  }

  async #refuseEnded(session: string, life: string): Promise<void> {
    const run = await this.#options.store.run(life);
    if (!run || (run.session === session && run.endedAt === null)) return;
    throw new Refusal(410, "life-over", "This agent's run is over; start another.");
  }

  /**
   * Among those to which it may return: the session of an agent that has said this; if nobody knows it,
   * what it said may have been lost on its way: then the only one that is away.
   */
  async findReturning(
    lastSaid: string,
    mayReturn: (session: string) => Promise<boolean>,
  ): Promise<string | undefined> {
    const away: string[] = [];
    for (const [session, wire] of this.#wires) {
      if (wire.isOver || wire.life !== undefined || !(await mayReturn(session))) continue;
      if (wire.isKnown(lastSaid)) return session;
      if (!wire.isConnected) away.push(session);
    }
    for (const [session, { row }] of this.expected) {
      if (!(await mayReturn(session))) continue;
      const { uuids } = await rememberedOf(this.#options.store, session, row.run);
      if ([...uuids].some(([uuid]) => uuid === lastSaid)) return session;
      away.push(session);
    }
    return away.length === 1 ? away[0] : undefined;
  }

  /** What is known of an agent of an earlier life of the hub that is expected back in this session. */
  async awaited(
    session: string,
  ): Promise<{ conversation: string | null; lastSaid: string } | undefined> {
    const row = this.expected.get(session)?.row;
    if (!row) return undefined;
    const { uuids } = await rememberedOf(this.#options.store, session, row.run);
    return { conversation: row.conversation, lastSaid: [...uuids].at(-1)?.[0] ?? "" };
  }

  /** As `enter`, for one that has been on its way: somebody else may have come meanwhile. Throws the refusal. */
  async take(
    session: string,
    claim: Claim,
    socket: AgentSocket,
    initialized?: HostAnswer<"initialize">,
  ): Promise<AgentWire> {
    for (;;) {
      const holder = this.#wires.get(session);
      await this.claim(session, claim);
      if (holder !== this.#wires.get(session)) continue;
      return this.enter(session, claim, socket, initialized);
    }
  }

  /** A connection that may has been opened. Gives back where what it says goes. */
  async enter(
    session: string,
    claim: Claim,
    socket: AgentSocket,
    initialized?: HostAnswer<"initialize">,
  ): Promise<AgentWire> {
    const known = this.#wires.get(session);
    if (known?.isConnected && !known.isSame(claim.life, claim.lastSaid)) {
      known.drop(4409, "Another connection has taken this session."); // it did not answer any more
    }
    if (known && !known.isOver && known.isSame(claim.life, claim.lastSaid)) {
      known.attach(socket, claim.lastSaid);
      this.#options.onAgent(session, "back");
      return known;
    }
    known?.end(runEnd("replaced", {}));
    const expected = this.expected.get(session);
    if (expected && isBack(expected, claim)) return this.#welcomeBack(expected, claim, socket);
    this.expected.giveUp(session, launchFailed("replaced", {}));
    return this.begin(session, claim, socket, initialized);
  }

  async #welcomeBack(expected: Expected, claim: Claim, socket: AgentSocket): Promise<AgentWire> {
    const { store, sessions } = this.#options;
    const { id, run } = expected.row;
    this.expected.remove(id);
    const [initialized, { waitsFor, ...remembered }, counted] = await Promise.all([
      initializeAnswer(store, id, run),
      rememberedOf(store, id, run),
      sessions.getStoredSeq(id).then((seq) => countedOf(store, id, run, seq)),
    ]);
    // One that was still being initialized is initialized again; it says so if it had been.
    const isStarted = sessions.findRow(id)?.state === "running";
    const known = isStarted && { initialized: initialized ?? {} };
    const before = { ...known, remembered, counted, waitsFor };
    const wire = this.#wire(id, claim, { before });
    wire.attach(socket, claim.lastSaid === "" ? null : claim.lastSaid); // it has not spoken yet
    expected.wire.resolve(wire);
    void this.#forgetWhenOver(id, wire);
    return wire;
  }

  /** A new life: its run begins as soon as the one before it is over. */
  begin(
    session: string,
    claim: Claim,
    socket: AgentSocket,
    initialized?: HostAnswer<"initialize">,
  ): AgentWire {
    const wire = this.#wire(session, claim, initialized && { initialized });
    wire.attach(socket);
    void this.#forgetWhenOver(session, wire, this.#run(session, wire));
    return wire;
  }

  async #run(session: string, wire: AgentWire): Promise<void> {
    const { sessions } = this.#options;
    try {
      await sessions.waitForRunEnd(session);
      await sessions.start(session, by, wire.life);
    } catch {
      wire.drop(1013, "The hub cannot begin a run now: come again.");
    }
  }

  #wire(
    session: string,
    { life, hostedElsewhere = false }: Claim,
    known: Pick<WireOptions, "before" | "initialized"> = {},
  ): AgentWire {
    const { sessions, onAgent } = this.#options;
    const wire = new AgentWire({
      ...known,
      ...(life !== undefined && { life }),
      hostedElsewhere,
      graceMs: this.#graceMs,
      onLost: () => void sessions.reportLoss(session, LOST).catch(() => {}),
      onMissed: (lines) => void sessions.reportLoss(session, missed(lines)).catch(() => {}),
      onTooBig: () => void sessions.addRemark(session, TOO_BIG).catch(() => {}),
      onChange: () => sessions.notifyChanged(session),
    });
    this.#wires.set(session, wire);
    onAgent(session, "connected");
    return wire;
  }

  /** One that is gone before its run began has one to end still. */
  async #forgetWhenOver(session: string, wire: AgentWire, begun?: Promise<void>): Promise<void> {
    await wire.closed;
    const { sessions, onAgent } = this.#options;
    onAgent(session, "disconnected");
    await begun;
    await sessions.waitForRunEnd(session).catch(() => {}); // deleted
    wire.hangUp();
    if (this.#wires.get(session) === wire) this.#wires.delete(session);
    sessions.notifyChanged(session);
  }

  /** Those in these sessions have to come again, and to show what opens them now. */
  async hangUp(isMeant: (session: string) => Promise<boolean>): Promise<void> {
    for (const [session, wire] of this.#wires) {
      if (await isMeant(session)) wire.drop(4401, "The secret of this session was replaced.");
    }
  }

  stored(session: string, count: number): void {
    this.#wires.get(session)?.stored(count);
  }

  /** The hub is stopping: agents come back to the next. */
  leave(): void {
    this.expected.leave();
    for (const wire of this.#wires.values()) wire.leave();
  }
}

function missed(lines: number): string {
  const what = lines === 1 ? "A line of the agent's is" : `${lines} lines of the agent's are`;
  return `${what} missing here: this hub, or another at its address, had acknowledged them and does not have them any more.`;
}

/** How far the agent had come is in lines that the store does not take at the moment. */
function notYet(): Refusal {
  const detail =
    "The hub has not stored yet what its last life had heard of this agent: come again.";
  return new Refusal(503, "not-yet", detail);
}

/** Of one that comes without a word of what it was. */
export const nobodyYet: Claim = { life: undefined, lastSaid: null };

/** One that speaks plainly and has not spoken yet cannot be told from its successor: it begins anew. */
function isBack({ row }: Expected, { life, lastSaid }: Claim): boolean {
  return life === undefined ? lastSaid !== null : life === row.run;
}
