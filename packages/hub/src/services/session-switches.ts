import type { SessionSummary, SessionSwitch } from "@signalbox/api";
import type { Actor } from "../actor.ts";
import { HubRefusal } from "../refusal.ts";
import { RELAY_DRIVER, type Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { requireOutsideTrash } from "../session/trash.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { SessionRow } from "../store/store.ts";
import type { DriverCatalog } from "./driver-catalog.ts";
import { ignoreNotRunning, requireLink, type RunEnds } from "./run-ends.ts";
import { SingleFlight } from "./single-flight.ts";

interface SessionSwitchesOptions {
  readonly runEnds: RunEnds;
  readonly sessions: Pick<Sessions, "get" | "find" | "list">;
  readonly drivers: Pick<DriverCatalog, "hasTerminal" | "requireTerminal">;
  readonly getAgentDriver: (agent: string) => string;
  readonly log: (text: string) => void;
}

/** The driver of the chat if the agent's own one shows itself in a terminal. */
const DEFAULT_CHAT_DRIVER = "stdio";

/**
 * Moves sessions between chat and terminal. The run in one ends before a run in the other starts, which
 * continues the same conversation.
 */
export class SessionSwitches {
  readonly #options: SessionSwitchesOptions;
  readonly #switching = new SingleFlight<void>();

  constructor(options: SessionSwitchesOptions) {
    this.#options = options;
  }

  /** Moves a session at once if no turn runs; otherwise when the turn is over, or after interrupting it. */
  async request(id: string, { to, running }: SessionSwitch, by: Actor): Promise<SessionSummary> {
    const session = this.#options.sessions.get(id);
    requireOutsideTrash(session.row);
    const driver = this.#findDriver(session, to);
    if (driver === session.row.driver) {
      if (session.row.options.switchTo)
        await session.write({ options: withoutSwitch(session.row) });
      return session.summary;
    }
    if (session.alive) requireLink(session);
    const isAtWork = session.row.state === "running" && !session.canSwitch;
    if (isAtWork && running === undefined) {
      const detail =
        "The agent is at work. Say whether to wait for the end of its turn or to interrupt it.";
      throw new HubRefusal(409, "turn-running", detail);
    }
    const switchTo = { driver, by: by.name };
    await session.write({ options: { ...session.row.options, switchTo } });
    if (isAtWork && running === "interrupt") await interrupt(session);
    await this.#perform(session);
    return session.summary;
  }

  /** A session has changed: it is moved if that was requested and its turn is over. */
  sessionChanged(id: string): void {
    const session = this.#options.sessions.find(id);
    if (!session?.row.options.switchTo) return;
    void this.#perform(session).catch((failure: unknown) => {
      this.#options.log(`session ${id}: it could not be moved: ${String(failure)}`);
    });
  }

  #findDriver({ row }: Session, to: SessionSwitch["to"]): string {
    const { driver, runner, agent, options } = row;
    const { drivers, getAgentDriver } = this.#options;
    if (driver === RELAY_DRIVER) {
      const detail =
        "The agent of this session is started elsewhere and dials in, so it cannot be moved into a terminal.";
      throw new HubRefusal(409, "agent-dials-in", detail);
    }
    const isTerminal = drivers.hasTerminal(driver, runner);
    if (to === "terminal") return isTerminal ? driver : drivers.requireTerminal(runner);
    if (!isTerminal) return driver;
    const own = options.chatDriver ?? getAgentDriver(agent);
    return drivers.hasTerminal(own, runner) ? DEFAULT_CHAT_DRIVER : own;
  }

  #perform(session: Session): Promise<void> {
    return this.#switching.run(session.id, () => this.#switch(session));
  }

  async #switch(session: Session): Promise<void> {
    const { switchTo } = session.row.options;
    if (!switchTo || (session.alive && (!session.canSwitch || !session.link))) return;
    const by = { name: switchTo.by };
    const wasAlive = session.alive;
    await this.#options.runEnds.end(session, by, true);
    const { driver: from, runner, options } = session.row;
    if (options.switchTo?.driver !== switchTo.driver) return; // somebody has changed their mind
    const { driver } = switchTo;
    const isTerminal = this.#options.drivers.hasTerminal(driver, runner);
    const { chatDriver: _, ...rest } = withoutSwitch(session.row);
    const next = isTerminal ? { ...rest, chatDriver: from } : rest;
    const entry = createAuditChange("driver-changed", by, session.id, { from, to: driver });
    await session.write({ driver, options: next }, [entry]);
    if (wasAlive || isTerminal || session.prompts.hasWaiting) await session.tryToWake(by);
  }
}

function withoutSwitch({ options }: SessionRow): SessionRow["options"] {
  const { switchTo: _, ...rest } = options;
  return rest;
}

async function interrupt(session: Session): Promise<void> {
  const { run } = session.row;
  if (run === null) return;
  const request = { session: session.id, run, subtype: "interrupt", fields: {} };
  const order = { kind: "request", ...request } as const;
  await requireLink(session).sendOrder(crypto.randomUUID(), order).catch(ignoreNotRunning);
}
