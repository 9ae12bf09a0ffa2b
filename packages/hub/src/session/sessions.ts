import { toPlainName } from "@signalbox/protocol/text";
import { basename } from "node:path";
import type { ProjectView } from "@signalbox/api";
import { createTimeline, type Summary } from "@signalbox/timeline";
import { Refusal } from "../engine.ts";
import { Session, type Surroundings } from "./session.ts";

const MOST_SESSIONS = 10_000;

/** All sessions: of each its row and its summary; the rest is read when it is needed. */
export class Sessions {
  readonly #all = new Map<string, Session>();
  readonly #most: number;

  constructor(most: number = MOST_SESSIONS) {
    this.#most = most;
  }

  /** All of them are held in memory and shown on the board, so their number has an end. */
  requireRoom(): void {
    if (this.#all.size < this.#most) return;
    throw new Refusal(
      409,
      "too-many-sessions",
      `There are ${this.#most} sessions already, which is as many as a hub keeps. Delete some that are done.`,
    );
  }

  async load(around: Surroundings): Promise<void> {
    const { store } = around;
    const [rows, summaries, prompts] = await Promise.all([
      store.sessions(),
      store.summaries(),
      store.prompts(),
    ]);
    for (const row of rows) {
      const saved = summaries.get(row.id);
      const summary = saved ? (JSON.parse(saved.summary) as Summary) : emptySummary();
      const run = row.run === null ? undefined : await store.run(row.run);
      this.#all.set(row.id, new Session(around, row, summary, saved?.rev ?? 0, run));
    }
    // Of one that was forked when the hub died the log is there, and nothing was made of it yet.
    const unread = this.all().filter(({ id, row }) => row.forkOf !== null && !summaries.has(id));
    if (store.health.writable) await Promise.all(unread.map((session) => session.load()));
    for (const prompt of prompts) {
      const session = this.#all.get(prompt.session);
      // What was given to a run that is over waits again.
      const withRun = session?.alive === true && prompt.sentTo === session.row.run;
      session?.prompts.put(withRun ? prompt : { ...prompt, sentTo: null });
    }
  }

  add(session: Session): void {
    this.#all.set(session.id, session);
  }
  remove(id: string): void {
    this.#all.delete(id);
  }
  find(id: string): Session | undefined {
    return this.#all.get(id);
  }
  all(): Session[] {
    return [...this.#all.values()];
  }

  get(id: string): Session {
    const session = this.#all.get(id);
    if (session) return session;
    throw new Refusal(
      404,
      "no-such-session",
      "There is no such session; it may have been deleted.",
    );
  }

  ofRunner(runner: string): Session[] {
    return this.all().filter(({ row }) => row.runner === runner);
  }

  /** Sessions of one folder on one machine form a project. */
  projects(): ProjectView[] {
    const projects = new Map<string, ProjectView>();
    for (const session of this.all()) {
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
          (before?.working ?? 0) + (session.alive && session.summary.status === "active" ? 1 : 0),
        waiting: (before?.waiting ?? 0) + (session.openAsks.length > 0 ? 1 : 0),
      });
    }
    return [...projects.values()].toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  }
}

export function emptySummary(): Summary {
  return createTimeline().reduce.summary;
}
