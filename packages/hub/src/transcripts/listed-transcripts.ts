import type { ListedTranscript, TranscriptList } from "@signalbox/api/link";
import type { RunnerLink } from "../link/runner-link.ts";
import type { SessionDeps } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { TranscriptRegistry } from "../session/transcript-registry.ts";
import type { Change, TranscriptRow } from "../store/store.ts";
import { createImportedSession } from "./imported-session.ts";

/** How many sessions are created in one transaction. */
const MAX_CREATED = 100;
/**
 * A transcript that is new, in a folder where an agent of ours is running, may be that agent's: it says so
 * within this time.
 */
const OWN_RUN_MS = 15_000;
const RECENT_MS = 60_000;
const MAX_PROBLEMS = 100;

interface ListedTranscriptsOptions {
  readonly deps: SessionDeps;
  readonly sessions: Sessions;
  readonly registry: TranscriptRegistry;
}

interface Waiting {
  readonly listed: ListedTranscript;
  readonly until: number;
}

/** Takes in what runners list: a session for each transcript that none of our sessions has. */
export class ListedTranscripts {
  readonly #options: ListedTranscriptsOptions;
  /** Transcripts that may be those of our own runs, by machine and conversation. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #problems = new Map<string, Map<string, string>>();

  constructor(options: ListedTranscriptsOptions) {
    this.#options = options;
  }

  getProblems(runner: string): { path: string; why: string }[] {
    return [...(this.#problems.get(runner) ?? [])].map(([path, why]) => ({ path, why }));
  }

  /** Returns whether there are other sessions than before. */
  async takeIn(link: RunnerLink, { transcripts, configFolder }: TranscriptList): Promise<boolean> {
    const { runner } = link;
    const again = [...this.#waiting.values()].map(({ listed }) => listed);
    const fresh = new Set(transcripts.map(({ conversation }) => conversation));
    const all = [...transcripts, ...again.filter(({ conversation }) => !fresh.has(conversation))];
    let hasNew = false;
    for (let from = 0; from < all.length; from += MAX_CREATED) {
      const part = all.slice(from, from + MAX_CREATED);
      hasNew = (await this.#takeInPart(runner, configFolder, part)) || hasNew;
    }
    return hasNew;
  }

  async #takeInPart(
    runner: string,
    usualFolder: string,
    part: readonly ListedTranscript[],
  ): Promise<boolean> {
    const { deps, sessions, registry } = this.#options;
    const changes: Change[] = [];
    const afterwards: (() => void)[] = [];
    const created = new Set<string>();
    // Also sessions of agents that dial in, which belong to another runner.
    const taken = new Set(sessions.list().map(({ row }) => row.conversation));
    for (const listed of part) {
      const known = registry.find(runner, listed.conversation);
      if (known) {
        const row = this.#update(runner, known, listed);
        if (!row) continue;
        changes.push({ kind: "transcript", row });
        afterwards.push(() => this.#onUpdated(row));
        continue;
      }
      if (created.has(listed.conversation)) {
        this.#note(runner, listed, TWICE);
        continue;
      }
      const wanted = taken.has(listed.conversation) ? undefined : this.#toImport(runner, listed);
      if (!wanted) continue;
      try {
        sessions.requireCapacityForImport(created.size);
      } catch (failure) {
        this.#note(runner, listed, (failure as Error).message);
        continue;
      }
      created.add(listed.conversation);
      const made = createImportedSession(deps, sessions, wanted, { runner, usualFolder });
      changes.push(...made.changes);
      afterwards.push(() => {
        sessions.add(made.session);
        registry.put(made.transcript);
        registry.noteWrittenElsewhere(made.session.id, listed.writtenAt);
        made.session.notifyChanged();
      });
    }
    if (changes.length === 0) return false;
    await deps.store.commit(changes, deps.getFence(runner));
    for (const apply of afterwards) apply();
    return created.size > 0;
  }

  /** What has changed of a transcript that is known; undefined: nothing. */
  #update(
    runner: string,
    known: TranscriptRow,
    listed: ListedTranscript,
  ): TranscriptRow | undefined {
    this.#waiting.delete(`${runner}\n${listed.conversation}`);
    const { configFolder, project, size, writtenAt, title = null, isGone: gone = false } = listed;
    const isElsewhere = known.configFolder !== configFolder || known.project !== project;
    if (isElsewhere && known.configFolder !== null) {
      if (gone) return undefined;
      if (!known.gone) {
        this.#note(runner, listed, TWICE);
        return undefined;
      }
    }
    const place = { configFolder, project };
    const next = { ...known, ...place, size, writtenAt, title: title ?? known.title, gone };
    return Bun.deepEquals(next, known) ? undefined : { ...next, problem: null };
  }

  #onUpdated(row: TranscriptRow): void {
    const { sessions, registry } = this.#options;
    registry.put(row);
    const session = row.session === null ? undefined : sessions.find(row.session);
    if (!session) return;
    const isCurrent = session.row.conversation === row.conversation;
    if (isCurrent && !session.row.named && row.title !== null && row.title !== session.row.title) {
      void session.write({ title: row.title }).catch(() => {}); // the next change tries again
    } else if (row.imported) session.notifyChanged();
  }

  /** What is to become a session; undefined: nothing, or not yet. */
  #toImport(
    runner: string,
    listed: ListedTranscript,
  ): (ListedTranscript & { readonly folder: string }) | undefined {
    const { folder, hasMessages, isGone, conversation } = listed;
    const key = `${runner}\n${conversation}`;
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (isGone || !hasMessages) return undefined;
    if (folder === undefined || !folder.startsWith("/")) {
      this.#note(runner, listed, "It does not say in which folder its session was.");
      return undefined;
    }
    const now = this.#options.deps.clocks.now();
    const mayBeOurs =
      now - listed.writtenAt < RECENT_MS &&
      this.#options.sessions
        .listByRunner(runner)
        .some(({ alive, row }) => alive && row.folder === folder);
    const until = waiting?.until ?? now + OWN_RUN_MS;
    if (mayBeOurs && now < until) {
      this.#waiting.set(key, { listed, until });
      return undefined;
    }
    return { ...listed, folder };
  }

  #note(runner: string, listed: ListedTranscript, why: string): void {
    const { configFolder, project, conversation } = listed;
    const problems = this.#problems.get(runner) ?? new Map<string, string>();
    this.#problems.set(runner, problems);
    if (problems.size >= MAX_PROBLEMS) return;
    problems.set(`${configFolder}/projects/${project}/${conversation}.jsonl`, why);
  }
}

const TWICE = "Another folder has a session with this id, too, and that one is shown.";
