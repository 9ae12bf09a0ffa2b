import { parseObject } from "@signalbox/protocol";
import type { OrderOfKind } from "@signalbox/api/link";
import { createLaunchError } from "@signalbox/host/launch";
import type { RelaySessions, SessionRow, Store } from "@signalbox/hub/extension";
import type { AgentTransport } from "../transport/agent-transport.ts";
import type { StoredProgress } from "../transport/numbered-protocol.ts";
import type { RecoveredLines } from "../embedded-runner/recovered-lines.ts";
import { readStoredProgress } from "../history/stored-history.ts";

/**
 * For an agent whose run was just about to begin nothing is known; `dial` tries at least every 30
 * s.
 */
const UNKNOWN_GRACE_MS = 5 * 60_000;
const LINES_LOST =
  "The hub ended while lines of the agent were waiting on its disk. The last of them are lost.";
const noProgress: StoredProgress = { agent: 0, host: [] };

interface ExpectedAgentsOptions {
  readonly store: Store;
  readonly sessions: RelaySessions;
  /** How long the hub waits for an agent that uses plain lines. */
  readonly graceMs: number;
}

/** A run that was alive when the hub's previous process ended, and whose agent is expected to reconnect. */
export interface ExpectedAgent {
  readonly row: SessionRow & { readonly run: string };
  readonly transport: PromiseWithResolvers<AgentTransport>;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** The agents of the hub's previous process that have not reconnected yet, by session. */
export class ExpectedAgents {
  readonly #options: ExpectedAgentsOptions;
  readonly #expected = new Map<string, ExpectedAgent>();

  constructor(options: ExpectedAgentsOptions) {
    this.#options = options;
  }

  get(session: string): ExpectedAgent | undefined {
    return this.#expected.get(session);
  }
  [Symbol.iterator](): IterableIterator<[string, ExpectedAgent]> {
    return this.#expected.entries();
  }

  /** The hub has started, and this run was alive when the previous process ended. */
  async add(
    row: SessionRow & { run: string },
    left: RecoveredLines | undefined,
  ): Promise<{ order: OrderOfKind<"start">; counted: StoredProgress }> {
    const { store, sessions } = this.#options;
    const after = await sessions.getStoredSeq(row.id);
    const stored = await readStoredProgress(store, row.id, row.run, after);
    const more = left?.countAfter(after) ?? noProgress;
    const counted = { agent: stored.agent + more.agent, host: [...stored.host, ...more.host] };
    const graceMs = await this.#getGraceMs(row.run);
    if (left && left.cutBytes > 0 && graceMs === this.#options.graceMs) {
      void sessions.addRemark(row.id, LINES_LOST).catch(() => {});
    }
    const transport = Promise.withResolvers<AgentTransport>();
    transport.promise.catch(() => {}); // its run hears of it
    const late = (waitedMs: number) => () =>
      this.giveUp(row.id, createLaunchError("left", { waitedMs }));
    const timer = graceMs === undefined ? undefined : setTimeout(late(graceMs), graceMs);
    this.#expected.set(row.id, { row, transport, timer });
    const { id: session, run, folder, policy } = row;
    const launch = { folder };
    const order = { kind: "start", session, run, after, driver: "relay", policy, launch } as const;
    return { order: { ...order, status: "resumed" }, counted };
  }

  /** Agents of `dial`, which describe their program, may take any time to return. */
  async #getGraceMs(run: string): Promise<number | undefined> {
    const known = (await this.#options.store.run(run))?.facts;
    if (typeof known !== "string") return UNKNOWN_GRACE_MS;
    const facts = parseObject(known);
    const path = typeof facts === "string" ? undefined : facts["path"];
    return typeof path === "string" && path !== "" ? undefined : this.#options.graceMs;
  }

  /** The agent has reconnected. */
  remove(session: string): void {
    clearTimeout(this.#expected.get(session)?.timer);
    this.#expected.delete(session);
  }

  /** Stops waiting for the agent and ends its run. False: the hub did not wait for it. */
  giveUp(session: string, why: Error): boolean {
    const expected = this.#expected.get(session);
    this.remove(session);
    expected?.transport.reject(why);
    return expected !== undefined;
  }

  /** The hub is stopping; its next process waits for these agents. */
  stopWaiting(): void {
    for (const { timer } of this.#expected.values()) clearTimeout(timer);
  }
}
