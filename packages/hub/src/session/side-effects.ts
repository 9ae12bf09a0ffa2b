import type { AskView, RunFacts } from "@signalbox/api";
import { isolationState } from "@signalbox/api/schemas";
import type { LogMarker } from "@signalbox/protocol";
import { createAskId } from "@signalbox/runner/asks";
import type { TimelineEvent } from "@signalbox/timeline";
import { getAskFacts } from "../asks/audit-facts.ts";
import { digestAsk } from "../asks/ask-digest.ts";
import { createAskChange, type AskRegistry } from "../asks/ask-registry.ts";
import { type AskLimit, createAsk } from "../asks/create-ask.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Change, PromptRow, RunRow, SessionRow } from "../store/store.ts";
import type { IngestEvent } from "./session-ingest.ts";
import { composeText } from "./prompt-context.ts";
import type { SessionPromptQueue } from "./prompt-queue.ts";
import { isReplayTooLong } from "../link/decode-line.ts";
import type { TranscriptRegistry } from "./transcript-registry.ts";
import type { SessionRecord } from "./session-record.ts";

interface SideEffectsOptions {
  readonly session: string;
  readonly record: SessionRecord;
  readonly prompts: SessionPromptQueue;
  readonly asks: AskRegistry;
  readonly transcripts: Pick<TranscriptRegistry, "noteConversation">;
  readonly runFacts: RunFacts | undefined;
  /** The default time limit of asks, for sessions that have none of their own. */
  readonly getAskLimit: () => AskLimit | null;
}

/**
 * What lines cause beside items: runs that begin and end, asks, messages that arrived. It is stored in the
 * same transaction as the lines, and applied once that succeeded.
 */
export class SideEffects {
  readonly #session: string;
  readonly #record: SessionRecord;
  readonly #prompts: SessionPromptQueue;
  readonly #asks: AskRegistry;
  readonly #transcripts: SideEffectsOptions["transcripts"];
  readonly #getAskLimit: () => AskLimit | null;
  #afterCommit: (() => void)[] = [];
  /** The asks as they will be after the current transaction. */
  readonly #pendingAsks = new Map<string, AskView>();
  /** The messages that are confirmed as delivered by the current transaction. */
  readonly #deliveredPrompts = new Set<string>();
  #runFacts: RunFacts | undefined;
  #pendingRunFacts: RunFacts | undefined;
  #replayCount = 0;

  constructor(options: SideEffectsOptions) {
    const { session, record, prompts, asks, transcripts, runFacts, getAskLimit } = options;
    this.#transcripts = transcripts;
    this.#session = session;
    this.#getAskLimit = getAskLimit;
    this.#record = record;
    this.#prompts = prompts;
    this.#asks = asks;
    this.#runFacts = this.#pendingRunFacts = runFacts;
  }

  /** Facts about the newest run, once its agent has initialized. */
  get runFacts(): RunFacts | undefined {
    return this.#runFacts;
  }

  /** Forgets the facts about the last run, because a new one was ordered. */
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
    for (const apply of this.#afterCommit.splice(0)) apply();
  }

  discard(): void {
    for (const id of this.#pendingAsks.keys()) this.#asks.acceptAnswers(id);
    this.#pendingAsks.clear();
    this.#deliveredPrompts.clear();
    this.#pendingRunFacts = this.#runFacts;
    this.#afterCommit = [];
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
        return this.#findAsk(ask.id) ? [] : [this.#putAsk(ask), createAskAuditChange(ask)];
      }
      case "ask_closed": {
        // What the runner reports counts, because an answer of the hub may have arrived too late.
        const ask = this.#findAsk(createAskId(this.#session, run ?? "", marker.requestId));
        if (!ask || (ask.status !== "open" && marker.how !== "withdrawn")) return [];
        const status = marker.how === "withdrawn" ? "cancelled" : marker.how;
        const by = marker.by === undefined ? {} : { answeredBy: marker.by };
        const change = this.#putAsk({ ...ask, status, answeredAt: at, ...by });
        const { device, behavior } = marker;
        if (device === undefined) return [change];
        const facts = { ...getAskFacts(ask), device, ...by, behavior };
        const entry = createAuditChange("answered-in-terminal", null, this.#session, facts, at);
        return [change, entry];
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

  /** The time limit of an ask. The session's own limit takes precedence over the hub's. */
  #findAskLimit(minutes: number | undefined): AskLimit | undefined {
    if (minutes !== undefined) return { minutes, onTimeout: "deny" };
    return this.#getAskLimit() ?? undefined;
  }

  /** Handles a remark that the folder's own settings have changed during the run. */
  #onRemark({ trust, text }: LogMarker<"remark">, at: number): Change[] {
    const { run } = this.#record.pending;
    const before = this.#pendingRunFacts;
    if (!trust || before?.run !== run) return [];
    const facts: RunFacts = { ...before, trust };
    this.#pendingRunFacts = facts;
    this.#afterCommit.push(() => (this.#runFacts = facts));
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
    this.#afterCommit.push(() => this.#asks.publish(ask));
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
    this.#afterCommit.push(() => (this.#runFacts = facts));
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
    this.#afterCommit.push(() => {
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
        return this.#onConversationStarted(event.sessionId);
      case "user-replayed":
        this.#replayCount++;
        return this.#onPromptDelivered(event.uuid);
      case "command-moved": // a command that the agent has merely queued would be lost with the agent
        return event.state === "queued" ? [] : this.#onPromptDelivered(event.uuid);
      case "turn-ended": {
        // Some agents do not replay messages, and a replay can be too long to be read. In both cases the
        // agent's answer proves that the first message arrived.
        const [first] = this.#listUnconfirmedPrompts(this.#record.pending.run);
        if (
          !first ||
          (this.#replayCount > 0 &&
            !isReplayTooLong({ text: composeText(first), images: first.images }))
        )
          return [];
        return this.#onPromptDelivered(first.id);
      }
      default:
        return [];
    }
  }

  /** The agent has resumed the conversation at the wanted point; later runs simply continue it. */
  #onConversationStarted(conversation: string): Change[] {
    const { takeUp, ...options } = this.#record.pending.options;
    if (takeUp) this.#record.patch({ options });
    if (conversation === this.#record.pending.conversation) return [];
    this.#record.patch({ conversation });
    const { runner } = this.#record.pending;
    return this.#transcripts.noteConversation(this.#session, runner, conversation);
  }

  /**
   * How to start the next attempt when the agent could not resume: at the conversation's end if only the
   * message was not found, else with a new conversation.
   */
  #getResumeFallback(): Partial<SessionRow> {
    const { options } = this.#record.pending;
    const { at, ...takeUp } = options.takeUp ?? {};
    return at === undefined ? { conversation: null } : { options: { ...options, takeUp } };
  }

  /** The messages that the agent was given and has not confirmed. */
  #listUnconfirmedPrompts(run: string | null): PromptRow[] {
    return this.#prompts.sentTo(run).filter(({ id }) => !this.#deliveredPrompts.has(id));
  }

  #onPromptDelivered(id: string): Change[] {
    if (!this.#prompts.get(id)) return [];
    this.#deliveredPrompts.add(id);
    this.#afterCommit.push(() => this.#prompts.remove(id));
    return [{ kind: "prompt-gone", id }];
  }
}

/**
 * The audit entry of an ask. After a restart, a stored ask without such an entry is not trusted, because the
 * hub did not write it.
 */
function createAskAuditChange(ask: AskView): Change {
  const { id, session, tool, kind, hash, openedAt } = ask;
  const facts = { ask: id, tool: tool ?? kind, hash, digest: digestAsk(ask) };
  return createAuditChange("asked", null, session, facts, openedAt);
}
