import type { SessionTranscript } from "@signalbox/api";
import type { Summary } from "@signalbox/timeline";
import { HubRefusal } from "../refusal.ts";
import type { Change, SessionRow, Store, TranscriptRow } from "../store/store.ts";

/** After this time without a new line in the middle of a turn, Claude Code counts as gone. */
const TURN_QUIET_MS = 10 * 60_000;
/** After this time without a new line between turns, a session can be continued here. */
const TAKEOVER_QUIET_MS = 30_000;

/** The parts of a session that decide whether its transcript is written elsewhere. */
interface TranscriptSession {
  readonly id: string;
  readonly row: Pick<SessionRow, "runner" | "conversation">;
  readonly alive: boolean;
  readonly timelineSummary: Pick<Summary, "status">;
}

/** The transcripts of Claude Code that the hub knows of: which session has which, and how far it is copied. */
export class TranscriptRegistry {
  readonly #now: () => number;
  readonly #takeoverMs: number;
  readonly #rows = new Map<string, TranscriptRow>();
  /** When another process has last written a session, as far as that is known. */
  readonly #writtenElsewhere = new Map<string, number>();
  /** Copies what is missing of a session before a run writes to it. */
  prepareRun: (session: string) => Promise<void> = async () => {};

  constructor(now: () => number, takeoverMs: number = TAKEOVER_QUIET_MS) {
    this.#now = now;
    this.#takeoverMs = takeoverMs;
  }

  async load(store: Store): Promise<void> {
    for (const row of await store.transcripts()) this.put(row);
  }

  find(runner: string, conversation: string): TranscriptRow | undefined {
    return this.#rows.get(getKey(runner, conversation));
  }

  /** The transcript of the conversation that a session has now. A fork has none before its first run. */
  findBySession({ id, row }: Pick<TranscriptSession, "id" | "row">): TranscriptRow | undefined {
    if (row.conversation === null) return undefined;
    const found = this.find(row.runner, row.conversation);
    return found?.session === id ? found : undefined;
  }

  list(): TranscriptRow[] {
    return [...this.#rows.values()];
  }

  put(row: TranscriptRow): void {
    this.#rows.set(getKey(row.runner, row.conversation), row);
  }

  /** Lines came that no run of the session has written. */
  noteWrittenElsewhere(session: string, at: number): void {
    if (this.#now() - at < TURN_QUIET_MS) this.#writtenElsewhere.set(session, at);
  }

  isWrittenElsewhere({ id, alive, timelineSummary }: TranscriptSession): boolean {
    const at = this.#writtenElsewhere.get(id);
    if (at === undefined || alive) return false;
    const quiet = this.#now() - at;
    if (quiet > TURN_QUIET_MS) this.#writtenElsewhere.delete(id);
    return quiet < (timelineSummary.status === "active" ? TURN_QUIET_MS : this.#takeoverMs);
  }

  /** The sessions that were written elsewhere a short while ago. */
  listRecentlyWritten(): string[] {
    return [...this.#writtenElsewhere.keys()];
  }

  /** Refuses a message while another process writes the conversation: two writers would lose turns. */
  requireIdleElsewhere(session: TranscriptSession): void {
    if (!this.isWrittenElsewhere(session)) return;
    throw new HubRefusal(
      409,
      "written-elsewhere",
      "Claude Code is writing this session in another window. It can be continued here once it has been idle there for half a minute.",
    );
  }

  describe(session: TranscriptSession): SessionTranscript | undefined {
    const row = this.findBySession(session);
    const isWrittenElsewhere = this.isWrittenElsewhere(session);
    if (!row || (!row.imported && !isWrittenElsewhere)) return undefined;
    const { imported: isImported, size: bytes } = row;
    return { isImported, isCopied: isCopied(row), isWrittenElsewhere, bytes };
  }

  /** The changes with which a conversation that begins in a run belongs to the run's session. */
  noteConversation(session: string, runner: string, conversation: string): Change[] {
    if (this.find(runner, conversation)) return [];
    const row: TranscriptRow = { ...createTranscriptRow(runner, conversation), session };
    this.put(row);
    return [{ kind: "transcript", row }];
  }

  /** The changes after which no list brings a deleted session back. */
  forgetSession(session: string): Change[] {
    return this.list()
      .filter((row) => row.session === session)
      .map((row) => {
        const { runner, conversation, configFolder, project, size, writtenAt } = row;
        const facts = { configFolder, project, size, writtenAt };
        const forgotten = { ...createTranscriptRow(runner, conversation), ...facts };
        return { kind: "transcript", row: forgotten };
      });
  }
}

/** Whether all of a transcript is stored, as it was when it was listed. */
export function isCopied({ readSize, size }: TranscriptRow): boolean {
  return readSize === size;
}

export function createTranscriptRow(runner: string, conversation: string): TranscriptRow {
  return {
    runner,
    conversation,
    session: null,
    configFolder: null,
    project: null,
    imported: false,
    title: null,
    size: 0,
    writtenAt: 0,
    readSize: -1,
    cursor: null,
    problems: null,
    problem: null,
    gone: false,
  };
}

function getKey(runner: string, conversation: string): string {
  return `${runner}\n${conversation}`;
}
