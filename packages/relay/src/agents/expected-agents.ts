import { parseObject } from "@signalbox/protocol";
import type { OrderOfKind } from "@signalbox/api/link";
import { launchFailed } from "@signalbox/host";
import type { RelaySessions, SessionRow, Store } from "@signalbox/hub/extension";
import type { AgentWire } from "../transport/agent-transport.ts";
import type { Counted } from "../transport/numbered-protocol.ts";
import type { LeftLines } from "../embedded-runner/recovered-lines.ts";
import { countedOf } from "../history/stored-history.ts";

/** Of one whose run was only about to begin nothing is known; `dial` tries every 30 s at most. */
const UNKNOWN_GRACE_MS = 5 * 60_000;
const TORN =
  "The hub ended while it kept lines of the agent's on its disk; the last of them are lost.";
const nothing: Counted = { agent: 0, host: [] };

export interface ExpectedOptions {
  readonly store: Store;
  readonly sessions: RelaySessions;
  /** How long one that speaks plainly is waited for. */
  readonly graceMs: number;
}

/** A run of an earlier life of the hub whose agent is expected back. */
export interface Expected {
  readonly row: SessionRow & { readonly run: string };
  readonly wire: PromiseWithResolvers<AgentWire>;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** The agents of the hub's last life that have not come back yet, by session. */
export class ExpectedAgents {
  readonly #options: ExpectedOptions;
  readonly #expected = new Map<string, Expected>();

  constructor(options: ExpectedOptions) {
    this.#options = options;
  }

  get(session: string): Expected | undefined {
    return this.#expected.get(session);
  }
  [Symbol.iterator](): IterableIterator<[string, Expected]> {
    return this.#expected.entries();
  }

  /** The hub has started: this run lived when the last one ended. */
  async add(
    row: SessionRow & { run: string },
    left: LeftLines | undefined,
  ): Promise<{ order: OrderOfKind<"start">; counted: Counted }> {
    const { store, sessions } = this.#options;
    const after = await sessions.getStoredSeq(row.id);
    const stored = await countedOf(store, row.id, row.run, after);
    const more = left?.after(after) ?? nothing;
    const counted = { agent: stored.agent + more.agent, host: [...stored.host, ...more.host] };
    const graceMs = await this.#graceOf(row.run);
    if (left && left.cutBytes > 0 && graceMs === this.#options.graceMs) {
      void sessions.addRemark(row.id, TORN).catch(() => {});
    }
    const wire = Promise.withResolvers<AgentWire>();
    wire.promise.catch(() => {}); // its run hears of it
    const late = (waitedMs: number) => () =>
      this.giveUp(row.id, launchFailed("left", { waitedMs }));
    const timer = graceMs === undefined ? undefined : setTimeout(late(graceMs), graceMs);
    this.#expected.set(row.id, { row, wire, timer });
    const { id: session, run, folder, policy } = row;
    const launch = { folder };
    const order = { kind: "start", session, run, after, driver: "relay", policy, launch } as const;
    return { order: { ...order, status: "resumed" }, counted };
  }

  /** Those of `dial`, which say what their program is, come back however long it takes. */
  async #graceOf(run: string): Promise<number | undefined> {
    const known = (await this.#options.store.run(run))?.facts;
    if (typeof known !== "string") return UNKNOWN_GRACE_MS;
    const facts = parseObject(known);
    const path = typeof facts === "string" ? undefined : facts["path"];
    return typeof path === "string" && path !== "" ? undefined : this.#options.graceMs;
  }

  /** It has come. */
  remove(session: string): void {
    clearTimeout(this.#expected.get(session)?.timer);
    this.#expected.delete(session);
  }

  /** It is not waited for any more: its run is over. False: it was not waited for. */
  giveUp(session: string, why: Error): boolean {
    const expected = this.#expected.get(session);
    this.remove(session);
    expected?.wire.reject(why);
    return expected !== undefined;
  }

  /** The hub is stopping: the next one waits for them. */
  leave(): void {
    for (const { timer } of this.#expected.values()) clearTimeout(timer);
  }
}
