import { toPlainName } from "@signalbox/protocol/text";
import { basename } from "node:path";
import type { ProjectView } from "@signalbox/api";
import { createTimeline, type Summary } from "@signalbox/timeline";
import { HubRefusal } from "../refusal.ts";
import type { PromptRow, SessionRow, StoredSession } from "../store/store.ts";
import { Session, type SessionDeps } from "./session.ts";
import { isTrashed } from "./trash.ts";

const MAX_SESSIONS = 10_000;

/** All sessions. The row and summary of each stay in memory; the rest is read when it is needed. */
export class Sessions {
  readonly #byId = new Map<string, Session>();
  readonly #max: number;

  constructor(most: number = MAX_SESSIONS) {
    this.#max = most;
  }

  /**
   * Refuses another session at the limit. There is one because all sessions are held in memory and shown on
   * the board.
   */
  requireCapacity(used: number = this.#byId.size): void {
    if (used < this.#max) return;
    throw new HubRefusal(
      409,
      "too-many-sessions",
      `This hub has ${this.#max} sessions, which is the maximum. Delete some that are finished.`,
    );
  }

  /**
   * The same for an imported session, of which so many are about to be added. Imported sessions leave a tenth of the
   * room to those that are begun here.
   */
  requireCapacityForImport(added: number): void {
    this.requireCapacity(this.#byId.size + added + Math.ceil(this.#max / 10));
  }

  /**
   * Adds all stored sessions. `checkRow` returns each row as it counts, which may be stricter than the stored
   * one. Returned are the stored messages that this hub has not accepted, which do not count.
   */
  async load(
    deps: SessionDeps,
    stored: readonly StoredSession[],
    checkRow: (row: SessionRow) => SessionRow,
  ): Promise<readonly PromptRow[]> {
    const { store, promptSeals } = deps;
    const prompts = promptSeals
      ? await promptSeals.load(store)
      : { accepted: await store.prompts(), refused: [] };
    const unread: Session[] = [];
    for (const { row, run, head } of stored) {
      const summary = head ? (JSON.parse(head.summary) as Summary) : createEmptySummary();
      const session = new Session(deps, checkRow(row), summary, head?.rev ?? 0, run);
      this.#byId.set(row.id, session);
      // If the hub ended while it forked a session, the copy has its log but no items yet.
      if (row.forkOf !== null && !head) unread.push(session);
    }
    if (store.health.writable) await Promise.all(unread.map((session) => session.loadIngest()));
    for (const prompt of prompts.accepted) {
      const session = this.#byId.get(prompt.session);
      // A message that was sent to a run which has ended waits again.
      const withRun = session?.alive === true && prompt.sentTo === session.row.run;
      session?.prompts.put(withRun ? prompt : { ...prompt, sentTo: null });
    }
    return prompts.refused;
  }

  add(session: Session): void {
    this.#byId.set(session.id, session);
  }
  remove(id: string): void {
    this.#byId.delete(id);
  }
  find(id: string): Session | undefined {
    return this.#byId.get(id);
  }
  list(): Session[] {
    return [...this.#byId.values()];
  }

  listOutsideTrash(): Session[] {
    return this.list().filter((session) => !isTrashed(session));
  }

  get(id: string): Session {
    const session = this.#byId.get(id);
    if (session) return session;
    throw new HubRefusal(
      404,
      "no-such-session",
      "This session was not found. It may have been deleted.",
    );
  }

  listByRunner(runner: string): Session[] {
    return this.list().filter(({ row }) => row.runner === runner);
  }

  /** Sessions of one folder on one machine form a project. */
  listProjects(): ProjectView[] {
    const projects = new Map<string, ProjectView>();
    for (const session of this.listOutsideTrash()) {
      const { folder, runner, archived } = session.row;
      if (archived) continue;
      const key = `${runner}\n${folder}`;
      const before = projects.get(key);
      projects.set(key, {
        folder,
        name: toPlainName(basename(folder)) || folder,
        runner,
        sessions: (before?.sessions ?? 0) + 1,
        working:
          (before?.working ?? 0) +
          (session.alive && session.timelineSummary.status === "active" ? 1 : 0),
        waiting: (before?.waiting ?? 0) + (session.openAsks.length > 0 ? 1 : 0),
      });
    }
    return [...projects.values()].toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  }
}

export function createEmptySummary(): Summary {
  return createTimeline().reduce.summary;
}
