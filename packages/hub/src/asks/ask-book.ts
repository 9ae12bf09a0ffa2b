import type { AskView, NewAnswer } from "@signalbox/api";
import { askHash } from "@signalbox/runner";
import { type Actor, Refusal } from "../engine.ts";
import type { AskRow, Change, Store } from "../log/store.ts";
import { runnerDecision } from "./ask.ts";

/** Closed asks that are still told of, so that every client sees what became of them. */
const REMEMBERED = 500;

/** Every ask that waits for a person, and how it ends: once, by the first valid answer. */
export class AskBook {
  readonly #store: Store;
  readonly #open = new Map<string, AskView>();
  readonly #closed = new Map<string, AskView>();
  /** Being answered: whoever comes now has lost, and hears who won. */
  readonly #taken = new Map<string, string>();
  /** The agent wants no answer any more; that is being stored. */
  readonly #closing = new Set<string>();
  readonly #changed: (ask: AskView) => void;

  constructor(store: Store, changed: (ask: AskView) => void) {
    this.#store = store;
    this.#changed = changed;
  }

  /**
   * `isKnown`: whether the audit chain has an ask of this id and hash. Gives the ids of those that it has
   * not, or whose input is not what the hash was made of: they are not shown, and nobody can answer them.
   */
  async load(
    isKnown: (id: string, hash: string) => boolean,
    folderOf: (session: string) => string | undefined,
  ): Promise<string[]> {
    const unknown: string[] = [];
    for (const { json } of await this.#store.openAsks()) {
      const ask = JSON.parse(json) as AskView;
      const { id, session, tool, kind, input, hash } = ask;
      const isWhole = askHash(session, tool ?? kind, input, folderOf(session) ?? "") === hash;
      if (isWhole && isKnown(id, hash)) this.#open.set(id, ask);
      else unknown.push(id);
    }
    return unknown;
  }

  open(): AskView[] {
    return [...this.#open.values()].toSorted((a, b) => a.openedAt - b.openedAt);
  }

  ofSession(session: string): AskView[] {
    return this.open().filter((ask) => ask.session === session);
  }

  /** Open, or closed a short while ago. */
  recent(id: string): AskView | undefined {
    return this.#open.get(id) ?? this.#closed.get(id);
  }

  /** Once it is stored, everybody may know of it. */
  show(ask: AskView): void {
    if (ask.status === "open") {
      this.#open.set(ask.id, ask);
    } else {
      this.#open.delete(ask.id);
      this.#taken.delete(ask.id);
      this.#closing.delete(ask.id);
      this.#closed.set(ask.id, ask);
      const oldest = this.#closed.keys().next();
      if (this.#closed.size > REMEMBERED && !oldest.done) this.#closed.delete(oldest.value);
    }
    this.#changed(ask);
  }

  /** Its session was deleted. */
  forget(session: string): void {
    for (const ask of this.ofSession(session)) this.show({ ...ask, status: "cancelled" });
  }

  /** From now on no answer is taken: the agent would not hear it. */
  closing(id: string): void {
    this.#closing.add(id);
  }
  keepOpen(id: string): void {
    this.#closing.delete(id);
  }

  /**
   * The first valid answer wins; it is taken before anything is awaited. Gives back the answered ask and
   * the decision for the runner, for the caller to store, and to `release` if that fails; undefined: the
   * ask is over.
   */
  take(id: string, answer: NewAnswer, by: Actor) {
    const ask = this.#open.get(id);
    if (!ask || this.#closing.has(id)) return undefined;
    const winner = this.#taken.get(id);
    if (winner) throw lost(ask, winner);
    if (answer.hash !== ask.hash) {
      const detail =
        "What this answer was given for is not what the agent asks now. Look at the ask again, and decide anew.";
      throw new Refusal(409, "stale-hash", detail);
    }
    const decision = runnerDecision(ask, answer.decision);
    this.#taken.set(id, by.name);
    const answered: AskView = {
      ...ask,
      status: "answered",
      decision: answer.decision,
      answeredBy: by.name,
      answeredAt: Date.now(),
    };
    return { ask: answered, decision };
  }

  /** For an end that is no answer. False: it is answered at this moment, or over. */
  reserve(id: string, name: string): boolean {
    if (!this.#open.has(id) || this.#taken.has(id) || this.#closing.has(id)) return false;
    this.#taken.set(id, name);
    return true;
  }

  release(id: string): void {
    this.#taken.delete(id);
  }

  /** Why it takes no answer any more. */
  async over(id: string): Promise<Refusal> {
    const row = this.recent(id) ?? (await this.#stored(id));
    if (!row) {
      return new Refusal(
        404,
        "no-such-ask",
        "There is no such ask: its session may have been deleted.",
      );
    }
    if (row.status === "answered") return lost(row, row.answeredBy ?? "somebody");
    const detail =
      row.status === "expired"
        ? "This expired: nobody answered within its time limit, and the agent was told no."
        : "The agent no longer waits for this: it withdrew the question, or it ended.";
    return new Refusal(409, "expired", detail);
  }

  async #stored(id: string): Promise<AskView | undefined> {
    const row = await this.#store.ask(id);
    return row && (JSON.parse(row.json) as AskView);
  }
}

function lost(ask: AskView, winner: string): Refusal {
  return new Refusal(409, "already-answered", `${winner} has answered this already: ${ask.title}.`);
}

export function askChange(ask: AskView): Change {
  const { id, session, run, requestId, status, openedAt } = ask;
  const row: AskRow = { id, session, run, requestId, status, openedAt, json: JSON.stringify(ask) };
  return { kind: "ask", row };
}
