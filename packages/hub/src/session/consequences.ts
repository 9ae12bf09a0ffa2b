import { type AskView, isolationState, type RunFacts } from "@signalbox/api";
import type { LogMarker } from "@signalbox/protocol";
import { askId } from "@signalbox/runner";
import type { TimelineEvent } from "@signalbox/timeline";
import { askChange, type AskBook } from "../asks/ask-book.ts";
import { askOf } from "../asks/ask.ts";
import { audit } from "../log/audit-change.ts";
import type { Change, PromptRow, RunRow, SessionRow } from "../log/store.ts";
import type { Happening } from "./conversation.ts";
import type { PromptQueue } from "./prompt-queue.ts";
import { isReplayUnread } from "./read-line.ts";
import type { SessionRecord } from "./record.ts";

/**
 * What lines bring with them beside items: runs that begin and end, asks, messages that arrived. Stored
 * in the same transaction as the lines, and applied when that is through.
 */
export class Consequences {
  readonly #session: string;
  readonly #record: SessionRecord;
  readonly #prompts: PromptQueue;
  readonly #asks: AskBook;
  #apply: (() => void)[] = [];
  /** Asks as this transaction leaves them. */
  readonly #pending = new Map<string, AskView>();
  /** Messages that have arrived, with this transaction. */
  readonly #gone = new Set<string>();
  #facts: RunFacts | undefined;
  #pendingFacts: RunFacts | undefined;
  #replays = 0;

  constructor(
    session: string,
    record: SessionRecord,
    prompts: PromptQueue,
    asks: AskBook,
    facts: RunFacts | undefined,
  ) {
    this.#session = session;
    this.#record = record;
    this.#prompts = prompts;
    this.#asks = asks;
    this.#facts = this.#pendingFacts = facts;
  }

  /** Of the newest run, once its agent is initialized. */
  get facts(): RunFacts | undefined {
    return this.#facts;
  }

  /** A run is ordered: nothing is known of it yet. */
  newRun(): void {
    this.#facts = this.#pendingFacts = undefined;
  }

  of(happened: readonly Happening[]): Change[] {
    return happened.flatMap((each) =>
      "note" in each ? this.#onNote(each) : this.#onEvent(each.event),
    );
  }

  stored(): void {
    this.#pending.clear();
    this.#gone.clear();
    for (const apply of this.#apply.splice(0)) apply();
  }

  discard(): void {
    for (const id of this.#pending.keys()) this.#asks.keepOpen(id);
    this.#pending.clear();
    this.#gone.clear();
    this.#pendingFacts = this.#facts;
    this.#apply = [];
  }

  #onNote({ note, run, at, subagent }: Extract<Happening, { note: LogMarker }>): Change[] {
    switch (note.subtype) {
      case "run_started":
        return this.#onRunStarted(note, at);
      case "run_ended":
        return this.#onRunEnded(note, at);
      case "ask_opened": {
        const { folder, options } = this.#record.next;
        const source = { session: this.#session, run: run ?? "", folder, at, subagent };
        const ask = askOf(note, { ...source, limitMinutes: options.askLimitMinutes });
        return this.#known(ask.id) ? [] : [this.#ask(ask), asked(ask)];
      }
      case "ask_closed": {
        // What the runner says became of it counts: an answer may have come too late.
        const ask = this.#known(askId(this.#session, run ?? "", note.requestId));
        if (!ask || (ask.status !== "open" && note.how !== "withdrawn")) return [];
        const status = note.how === "withdrawn" ? "cancelled" : note.how;
        const by = note.by === undefined ? {} : { answeredBy: note.by };
        return [this.#ask({ ...ask, status, answeredAt: at, ...by })];
      }
      case "call_marked": {
        const { callId, tool, how, text, ran } = note;
        const facts = { run, callId, tool, text, ...(ran !== undefined && { ran }) };
        return [audit(`call-${how}`, null, this.#session, facts, at)];
      }
      case "remark":
        return this.#onRemark(note, at);
      default:
        return [];
    }
  }

  /** The folder's own settings have changed under the run. */
  #onRemark({ trust, text }: LogMarker<"remark">, at: number): Change[] {
    const { run } = this.#record.next;
    const before = this.#pendingFacts;
    if (!trust || before?.run !== run) return [];
    const facts: RunFacts = { ...before, trust };
    this.#pendingFacts = facts;
    this.#apply.push(() => (this.#facts = facts));
    return [
      { kind: "run", row: this.#runRow(at) },
      audit("folder-changed", null, this.#session, { run, text }, at),
    ];
  }

  #known(id: string): AskView | undefined {
    return this.#pending.get(id) ?? this.#asks.recent(id);
  }

  #openAsks(run: string): AskView[] {
    const shown = this.#asks.ofSession(this.#session).filter(({ id }) => !this.#pending.has(id));
    return [...shown, ...this.#pending.values()].filter(
      (ask) => ask.status === "open" && ask.run === run,
    );
  }

  #ask(ask: AskView): Change {
    this.#pending.set(ask.id, ask);
    if (ask.status !== "open") this.#asks.closing(ask.id);
    this.#apply.push(() => this.#asks.show(ask));
    return askChange(ask);
  }

  #onRunStarted(note: LogMarker<"run_started">, at: number): Change[] {
    if (note.run !== this.#record.next.run) return [];
    const { run, driver, agent, capabilities, leftOut, isolation, trust } = note;
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
    this.#replays = 0;
    this.#pendingFacts = facts;
    this.#apply.push(() => (this.#facts = facts));
    return [{ kind: "run", row: this.#runRow(at) }];
  }

  #onRunEnded(note: LogMarker<"run_ended">, at: number): Change[] {
    if (note.run !== this.#record.next.run) return [];
    const state = note.status === "ended" ? "stopped" : note.status;
    const problem = state === "crashed" ? note.sentence : null;
    const dropped = note.kind === "resume-failed" ? this.#notTakenUp() : {};
    this.#record.patch({ state, problem, ...dropped });
    const unsent = this.#onTheirWay(note.run).map((row) => ({ ...row, sentTo: null }));
    this.#apply.push(() => {
      for (const row of unsent) this.#prompts.put(row);
    });
    return [
      { kind: "run", row: { ...this.#runRow(at), endedAt: at, end: note.sentence } },
      ...unsent.map((row): Change => ({ kind: "prompt", row })),
      ...this.#openAsks(note.run).map((ask) =>
        this.#ask({ ...ask, status: "cancelled", answeredAt: at }),
      ),
    ];
  }

  #runRow(at: number): RunRow {
    const { run, runner } = this.#record.next;
    const facts = this.#pendingFacts?.run === run ? this.#pendingFacts : undefined;
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
        this.#onConversation(event.sessionId);
        return [];
      case "user-replayed":
        this.#replays++;
        return this.#arrived(event.uuid);
      case "command-moved": // one that the agent has only put into its own queue would die with it
        return event.state === "queued" ? [] : this.#arrived(event.uuid);
      case "turn-ended": {
        // An agent that prints nothing back, or what is too long to be read, has shown by its answer
        // that the first message arrived.
        const [first] = this.#onTheirWay(this.#record.next.run);
        if (!first || (this.#replays > 0 && !isReplayUnread(first))) return [];
        return this.#arrived(first.id);
      }
      default:
        return [];
    }
  }

  /** The agent has taken the conversation up, where it was to: from now on it simply goes on. */
  #onConversation(conversation: string): void {
    const { takeUp, ...options } = this.#record.next.options;
    if (takeUp) this.#record.patch({ options });
    if (conversation !== this.#record.next.conversation) this.#record.patch({ conversation });
  }

  /** Where one message of it was not found the next attempt takes it up whole; else there is nothing to take up. */
  #notTakenUp(): Partial<SessionRow> {
    const { options } = this.#record.next;
    const { at, ...takeUp } = options.takeUp ?? {};
    return at === undefined ? { conversation: null } : { options: { ...options, takeUp } };
  }

  /** What the agent was given and has not shown to have. */
  #onTheirWay(run: string | null): PromptRow[] {
    return this.#prompts.sentTo(run).filter(({ id }) => !this.#gone.has(id));
  }

  #arrived(id: string): Change[] {
    if (!this.#prompts.get(id)) return [];
    this.#gone.add(id);
    this.#apply.push(() => this.#prompts.remove(id));
    return [{ kind: "prompt-gone", id }];
  }
}

/** By the entry an ask is known after a restart: a row that somebody else wrote has none. */
function asked({ id, session, tool, kind, hash, openedAt }: AskView): Change {
  return audit("asked", null, session, { ask: id, tool: tool ?? kind, hash }, openedAt);
}
