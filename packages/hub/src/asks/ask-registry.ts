import type { AskView, NewAnswer } from "@signalbox/api";
import { hashAsk } from "@signalbox/runner/asks";
import type { Actor } from "../actor.ts";
import { HubRefusal } from "../refusal.ts";
import type { BoardListener } from "../fan-out/board-changes.ts";
import type { AskRow, Change, SessionRow, Store } from "../store/store.ts";
import { digestAsk } from "./ask-digest.ts";
import { toRunnerDecision } from "./create-ask.ts";

/** How many closed asks are kept in memory, so that every client sees how they ended. */
const MAX_CLOSED = 500;

/** All asks that wait for a person. Each ends once, by the first valid answer. */
export class AskRegistry {
  readonly #store: Store;
  readonly #open = new Map<string, AskView>();
  readonly #closed = new Map<string, AskView>();
  /**
   * Asks that are being answered, with who answers. Whoever answers now is too late, and is told who was
   * first.
   */
  readonly #claimed = new Map<string, string>();
  /** Asks that the agent has withdrawn, while that is being stored. */
  readonly #closing = new Set<string>();
  readonly #changes: BoardListener;

  constructor(store: Store, changes: BoardListener) {
    this.#store = store;
    this.#changes = changes;
  }

  /**
   * Loads the stored asks of these sessions. `isKnown` tells whether the audit chain has an ask of this id, hash
   * and digest. Returns the ids of asks that it does not have, or whose input does not match the hash: they are
   * not shown, and nobody can answer them.
   */
  async load(
    sessions: readonly SessionRow[],
    isKnown: (id: string, hash: string, digest: string) => boolean,
  ): Promise<string[]> {
    const folders = new Map(sessions.map(({ id, folder }) => [id, folder]));
    const unknown: string[] = [];
    for (const { json } of await this.#store.openAsks()) {
      const ask = JSON.parse(json) as AskView;
      const { id, session, tool, kind, input, hash } = ask;
      const isWhole = hashAsk(session, tool ?? kind, input, folders.get(session) ?? "") === hash;
      if (isWhole && isKnown(id, hash, digestAsk(ask))) this.#open.set(id, ask);
      else unknown.push(id);
    }
    return unknown;
  }

  listOpen(): AskView[] {
    return [...this.#open.values()].toSorted((a, b) => a.openedAt - b.openedAt);
  }

  listBySession(session: string): AskView[] {
    return this.listOpen().filter((ask) => ask.session === session);
  }

  /** Finds an ask that is open or was closed recently. */
  find(id: string): AskView | undefined {
    return this.#open.get(id) ?? this.#closed.get(id);
  }

  /** Shows an ask to all clients, once it is stored. */
  publish(ask: AskView): void {
    if (ask.status === "open") {
      this.#open.set(ask.id, ask);
    } else {
      this.#open.delete(ask.id);
      this.#claimed.delete(ask.id);
      this.#closing.delete(ask.id);
      this.#closed.set(ask.id, ask);
      const oldest = this.#closed.keys().next();
      if (this.#closed.size > MAX_CLOSED && !oldest.done) this.#closed.delete(oldest.value);
    }
    this.#changes.askChanged(ask.id);
    this.#changes.sessionChanged(ask.session);
  }

  /** Removes the asks of a session that was deleted. */
  removeSession(session: string): void {
    for (const ask of this.listBySession(session)) this.publish({ ...ask, status: "cancelled" });
  }

  /** Refuses further answers, because they would not reach the agent any more. */
  refuseAnswers(id: string): void {
    this.#closing.add(id);
  }
  acceptAnswers(id: string): void {
    this.#closing.delete(id);
  }

  /**
   * Claims an ask for an answer. The first valid answer wins, and it claims the ask before anything is
   * awaited. Returns the answered ask and the decision for the runner, for the caller to store, or to
   * `release` if storing fails; undefined: the ask is over.
   */
  claim(id: string, answer: NewAnswer, by: Actor) {
    const ask = this.#open.get(id);
    if (!ask || this.#closing.has(id)) return undefined;
    const winner = this.#claimed.get(id);
    if (winner) throw createAlreadyAnsweredRefusal(ask, winner);
    if (answer.hash !== ask.hash) {
      const detail =
        "The agent's request has changed since you saw it. Open it again and decide about the current version.";
      throw new HubRefusal(409, "stale-hash", detail);
    }
    const decision = toRunnerDecision(ask, answer.decision);
    this.#claimed.set(id, by.name);
    const answered: AskView = {
      ...ask,
      status: "answered",
      decision: answer.decision,
      answeredBy: by.name,
      answeredAt: Date.now(),
    };
    return { ask: answered, decision };
  }

  /** Claims an ask for an end without an answer. Returns false if the ask is being answered or is over. */
  reserve(id: string, name: string): boolean {
    if (!this.#open.has(id) || this.#claimed.has(id) || this.#closing.has(id)) return false;
    this.#claimed.set(id, name);
    return true;
  }

  release(id: string): void {
    this.#claimed.delete(id);
  }

  /**
   * Another hub has closed this ask in the store first: it is shown as closed here, too. Its answer counts,
   * and `explainClosed` names who gave it.
   */
  async adoptClosed(id: string): Promise<void> {
    const stored = await this.#findStored(id);
    if (stored && stored.status !== "open") this.publish(stored);
  }

  /** The refusal for an answer that comes too late. */
  async explainClosed(id: string): Promise<HubRefusal> {
    const row = this.find(id) ?? (await this.#findStored(id));
    if (!row) {
      return new HubRefusal(
        404,
        "no-such-ask",
        "This request was not found. Its session may have been deleted.",
      );
    }
    if (row.status === "answered")
      return createAlreadyAnsweredRefusal(row, row.answeredBy ?? "somebody");
    const detail =
      row.status === "expired"
        ? "This request has expired: nobody answered within its time limit, so it was denied."
        : "The agent no longer waits for this answer. It withdrew the request, or it has ended.";
    return new HubRefusal(409, "expired", detail);
  }

  async #findStored(id: string): Promise<AskView | undefined> {
    const row = await this.#store.ask(id);
    return row && (JSON.parse(row.json) as AskView);
  }
}

function createAlreadyAnsweredRefusal(ask: AskView, winner: string): HubRefusal {
  return new HubRefusal(
    409,
    "already-answered",
    `This request was already answered by ${winner}: ${ask.title}.`,
  );
}

export function createAskChange(ask: AskView): Change {
  return { kind: "ask", row: createAskRow(ask) };
}

/** Closes an ask, unless somebody else has closed it first. */
export function createCloseChange(ask: AskView): Change {
  return { kind: "ask-closed", row: createAskRow(ask) };
}

function createAskRow(ask: AskView): AskRow {
  const { id, session, run, requestId, status, openedAt } = ask;
  return { id, session, run, requestId, status, openedAt, json: JSON.stringify(ask) };
}
