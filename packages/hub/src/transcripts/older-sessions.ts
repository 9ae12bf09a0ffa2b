import type { BoardListener } from "../fan-out/board-changes.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";

/** How many sessions of Claude Code of one project are on everybody's board. */
const SHOWN = 5;

/**
 * The imported sessions that nobody has used here and that are not among the newest of their projects. A
 * machine may have thousands of them: they are left out of the board until somebody opens them.
 */
export class OlderSessions {
  readonly #sessions: Sessions;
  readonly #changes: BoardListener;
  readonly #opened = new Set<string>();
  #hidden: ReadonlySet<string> = new Set();
  #counts: ReadonlyMap<string, number> = new Map();

  constructor(sessions: Sessions, changes: BoardListener) {
    this.#sessions = sessions;
    this.#changes = changes;
  }

  /** Looks which ones they are, after sessions have come. */
  update(): void {
    const unused = this.#sessions.list().filter((session) => this.#isUnused(session));
    const byProject = Map.groupBy(unused, ({ row }) => getKey(row.runner, row.folder));
    const hidden = new Set<string>();
    const counts = new Map<string, number>();
    for (const [project, sessions] of byProject) {
      const newest = sessions.toSorted((a, b) => getLastUse(b) - getLastUse(a));
      const older = newest.slice(SHOWN);
      for (const { id } of older) hidden.add(id);
      if (older.length > 0) counts.set(project, older.length);
    }
    this.#counts = counts;
    const before = this.#hidden;
    this.#hidden = hidden;
    for (const id of before) if (!hidden.has(id)) this.#changes.sessionChanged(id);
    for (const id of hidden) if (!before.has(id)) this.#changes.sessionChanged(id);
    this.#changes.hubChanged();
  }

  isHidden(session: Session): boolean {
    return this.#hidden.has(session.id) && this.#isUnused(session);
  }

  /** Somebody opens a session, which is on the board from now on. */
  show(id: string): void {
    if (this.#opened.has(id)) return;
    this.#opened.add(id);
    if (this.#hidden.has(id)) this.update();
  }

  /** How many sessions of a folder were left out when this was last looked at. */
  count(runner: string, folder: string): number {
    return this.#counts.get(getKey(runner, folder)) ?? 0;
  }

  #isUnused({ id, row, transcript }: Session): boolean {
    const { run, named, pinned, labels } = row;
    if (!transcript?.isImported || transcript.isWrittenElsewhere) return false;
    return run === null && !named && !pinned && labels.length === 0 && !this.#opened.has(id);
  }
}

function getLastUse({ timelineSummary, row }: Session): number {
  return timelineSummary.lastActivityAt ?? row.createdAt;
}

function getKey(runner: string, folder: string): string {
  return `${runner}\n${folder}`;
}
