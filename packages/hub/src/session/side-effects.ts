import { type AskView, isolationState, type RunFacts } from "@signalbox/api";
import type { LogMarker } from "@signalbox/protocol";
import { createAskId } from "@signalbox/runner/asks";
import type { TimelineEvent } from "@signalbox/timeline";
import { createAskChange, type AskRegistry } from "../asks/ask-registry.ts";
import { type AskLimit, createAsk } from "../asks/create-ask.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, PromptRow, RunRow, SessionRow } from "../store/store.ts";
import type { IngestEvent } from "./session-ingest.ts";
import type { PromptQueue } from "./prompt-queue.ts";
import { isReplayTooLong } from "../link/decode-line.ts";
import type { SessionRecord } from "./session-record.ts";

export interface SideEffectsOptions {
  readonly session: string;
  readonly record: SessionRecord;
  readonly prompts: PromptQueue;
  readonly asks: AskRegistry;
  readonly runFacts: RunFacts | undefined;
  /** The time limit of requests in sessions that have none of their own. */
  readonly getAskLimit: () => AskLimit | null;
}

/**
 * What lines bring with them beside items: runs that begin and end, asks, messages that arrived. Stored
 * in the same transaction as the lines, and applied when that is through.
 */
export class SideEffects {
  readonly #session: string;
  readonly #record: SessionRecord;
  readonly #prompts: PromptQueue;
  readonly #asks: AskRegistry;
  readonly #getAskLimit: () => AskLimit | null;
  #onceStored: (() => void)[] = [];
  /** Asks as this transaction leaves them. */
  readonly #pendingAsks = new Map<string, AskView>();
  /** Messages that have arrived, with this transaction. */
  readonly #deliveredPrompts = new Set<string>();
  #runFacts: RunFacts | undefined;
  #pendingRunFacts: RunFacts | undefined;
  #replayCount = 0;

  constructor(options: SideEffectsOptions) {
    const { session, record, prompts, asks, runFacts, getAskLimit } = options;
    this.#session = session;
    this.#getAskLimit = getAskLimit;
    this.#record = record;
    this.#prompts = prompts;
    this.#asks = asks;
    this.#runFacts = this.#pendingRunFacts = runFacts;
  }

  /** What is known of the newest run, once its agent is initialized. */
  get runFacts(): RunFacts | undefined {
    return this.#runFacts;
  }

  /** A run is ordered: nothing is known of it yet. */
  resetRun(): void {
    this.#runFacts = this.#pendingRunFacts = undefined;
  }

  applyEvents(events: readonly IngestEvent[]): Change[] {
    return events.flatMap((each) =>
      "marker" in each ? this.#onMarker(each) : this.#onEvent(each.event),
    );
  }

  onStored(): void {
    this.#pendingAsks.clear();
    this.#deliveredPrompts.clear();
    for (const apply of this.#onceStored.splice(0)) apply();
  }

  discard(): void {
    for (const id of this.#pendingAsks.keys()) this.#asks.acceptAnswers(id);
    this.#pendingAsks.clear();
    this.#deliveredPrompts.clear();
    this.#pendingRunFacts = this.#runFacts;
    this.#onceStored = [];
  }

  #onMarker({ marker, run, at, subagent }: Extract<IngestEvent, { marker: LogMarker }>): Change[] {
    switch (marker.subtype) {
      case "run_started":
        return this.#onRunStarted(marker, at);
      case "run_ended":
        return this.#onRunEnded(marker, at);
      case "ask_opened": {
        const { folder, options } = this.#record.pending;
        const source = { session: this.#session, run: run ?? "", folder, at, subagent };
        const ask = createAsk(marker, {
          ...source,
          limit: this.#findAskLimit(options.askLimitMinutes),
        });
        return this.#findAsk(ask.id) ? [] : [this.#putAsk(ask), auditOpenedAsk(ask)];
      }
      case "ask_closed": {
        // What the runner says became of it counts: an answer may have come too late.
        const ask = this.#findAsk(createAskId(this.#session, run ?? "", marker.requestId));
        if (!ask || (ask.status !== "open" && marker.how !== "withdrawn")) return [];
        const status = marker.how === "withdrawn" ? "cancelled" : marker.how;
        const by = marker.by === undefined ? {} : { answeredBy: marker.by };
        return [this.#putAsk({ ...ask, status, answeredAt: at, ...by })];
      }
      case "call_marked": {
        const { callId, tool, how, text, ran } = marker;
        const facts = { run, callId, tool, text, ...(ran !== undefined && { ran }) };
        return [createAuditChange(`call-${how}`, null, this.#session, facts, at)];
      }
      case "remark":
        return this.#onRemark(marker, at);
      default:
        return [];
    }
  }

  /** A session's own limit counts before that of all sessions. */
  #findAskLimit(minutes: number | undefined): AskLimit | undefined {
    if (minutes !== undefined) return { minutes, onTimeout: "deny" };
    return this.#getAskLimit() ?? undefined;
  }

  /** The folder's own settings have changed under the run. */
  #onRemark({ trust, text }: LogMarker<"remark">, at: number): Change[] {
    const { run } = this.#record.pending;
    const before = this.#pendingRunFacts;
    if (!trust || before?.run !== run) return [];
    const facts: RunFacts = { ...before, trust };
    this.#pendingRunFacts = facts;
    this.#onceStored.push(() => (this.#runFacts = facts));
    return [
      { kind: "run", row: this.#createRunRow(at) },
      createAuditChange("folder-changed", null, this.#session, { run, text }, at),
    ];
  }

  #findAsk(id: string): AskView | undefined {
    return this.#pendingAsks.get(id) ?? this.#asks.find(id);
  }

  #listOpenAsks(run: string): AskView[] {
    const shown = this.#asks
      .listBySession(this.#session)
      .filter(({ id }) => !this.#pendingAsks.has(id));
    return [...shown, ...this.#pendingAsks.values()].filter(
      (ask) => ask.status === "open" && ask.run === run,
    );
  }

  #putAsk(ask: AskView): Change {
    this.#pendingAsks.set(ask.id, ask);
    if (ask.status !== "open") this.#asks.refuseAnswers(ask.id);
    this.#onceStored.push(() => this.#asks.publish(ask));
    return createAskChange(ask);
  }

  #onRunStarted(marker: LogMarker<"run_started">, at: number): Change[] {
    if (marker.run !== this.#record.pending.run) return [];
    const { run, driver, agent, capabilities, leftOut, isolation, trust } = marker;
    const isolated = isolationState.safeParse(isolation);
    const { path, version, versionClass } = agent;
    const facts: RunFacts = {
      run,
      driver,
      path,
      version,
      versionClass,
      capabilities,
      leftOut: leftOut.map(({ option, why }) => ({ option, why })),
      ...(isolated.success && { isolation: isolated.data }),
      ...(trust && { trust }),
      startedAt: at,
    };
    this.#record.patch({ state: "running", problem: null });
    this.#replayCount = 0;
    this.#pendingRunFacts = facts;
    this.#onceStored.push(() => (this.#runFacts = facts));
    return [{ kind: "run", row: this.#createRunRow(at) }];
  }

  #onRunEnded(marker: LogMarker<"run_ended">, at: number): Change[] {
    if (marker.run !== this.#record.pending.run) return [];
    const state = marker.status === "ended" ? "stopped" : marker.status;
    const problem = state === "crashed" ? marker.sentence : null;
    const dropped = marker.kind === "resume-failed" ? this.#getResumeFallback() : {};
    this.#record.patch({ state, problem, ...dropped });
    const unsent = this.#listUnconfirmedPrompts(marker.run).map((row) => ({
      ...row,
      sentTo: null,
    }));
    this.#onceStored.push(() => {
      for (const row of unsent) this.#prompts.put(row);
    });
    return [
      { kind: "run", row: { ...this.#createRunRow(at), endedAt: at, end: marker.sentence } },
      ...unsent.map((row): Change => ({ kind: "prompt", row })),
      ...this.#listOpenAsks(marker.run).map((ask) =>
        this.#putAsk({ ...ask, status: "cancelled", answeredAt: at }),
      ),
    ];
  }

  #createRunRow(at: number): RunRow {
    const { run, runner } = this.#record.pending;
    const facts = this.#pendingRunFacts?.run === run ? this.#pendingRunFacts : undefined;
    return {
      id: run ?? "",
      session: this.#session,
      runner,
      startedAt: facts?.startedAt ?? at,
      facts: facts ? JSON.stringify(facts) : null,
      endedAt: null,
      end: null,
    };
  }

  #onEvent(event: TimelineEvent): Change[] {
    switch (event.type) {
      case "session-started":
        this.#onConversationStarted(event.sessionId);
        return [];
      case "user-replayed":
        this.#replayCount++;
        return this.#onPromptDelivered(event.uuid);
      case "command-moved": // one that the agent has only put into its own queue would die with it
        return event.state === "queued" ? [] : this.#onPromptDelivered(event.uuid);
      case "turn-ended": {
        // An agent that prints nothing back, or what is too long to be read, has shown by its answer
        // that the first message arrived.
        const [first] = this.#listUnconfirmedPrompts(this.#record.pending.run);
        if (!first || (this.#replayCount > 0 && !isReplayTooLong(first))) return [];
        return this.#onPromptDelivered(first.id);
      }
      default:
        return [];
    }
  }

  /** The agent has taken the conversation up, where it was to: from now on it simply goes on. */
  #onConversationStarted(conversation: string): void {
    const { takeUp, ...options } = this.#record.pending.options;
    if (takeUp) this.#record.patch({ options });
    if (conversation !== this.#record.pending.conversation) this.#record.patch({ conversation });
  }

  /** Where one message of it was not found the next attempt takes it up whole; else there is nothing to take up. */
  #getResumeFallback(): Partial<SessionRow> {
    const { options } = this.#record.pending;
    const { at, ...takeUp } = options.takeUp ?? {};
    return at === undefined ? { conversation: null } : { options: { ...options, takeUp } };
  }

  /** What the agent was given and has not shown to have. */
  #listUnconfirmedPrompts(run: string | null): PromptRow[] {
    return this.#prompts.sentTo(run).filter(({ id }) => !this.#deliveredPrompts.has(id));
  }

  #onPromptDelivered(id: string): Change[] {
    if (!this.#prompts.get(id)) return [];
    this.#deliveredPrompts.add(id);
    this.#onceStored.push(() => this.#prompts.remove(id));
    return [{ kind: "prompt-gone", id }];
  }
}

/** By the entry an ask is known after a restart: a row that somebody else wrote has none. */
function auditOpenedAsk({ id, session, tool, kind, hash, openedAt }: AskView): Change {
  return createAuditChange("asked", null, session, { ask: id, tool: tool ?? kind, hash }, openedAt);
}
