import { errorMessage } from "@signalbox/protocol/text";
import type { OrderOfKind } from "@signalbox/api/link";
import type { TranscriptPart } from "../link/runner-link.ts";
import type { RunnerLinks } from "../link/runner-links.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { isTrashed } from "../session/trash.ts";
import type { Store, TranscriptRow } from "../store/store.ts";
import { isCopied, type TranscriptRegistry } from "../session/transcript-registry.ts";

/** A session that also ran here is compared with this many of its newest messages. */
const MAX_KNOWN = 5000;
/** A file that is another one now is compared with all messages. */
const MAX_COMPARED = 1_000_000;
/** After this time a turn that may still be open is looked at again, and a failed copy is tried again. */
const OPEN_TURN_MS = 2000;
const RETRY_MS = 60_000;

interface TranscriptCopierOptions {
  readonly store: Store;
  readonly links: RunnerLinks;
  readonly sessions: Sessions;
  readonly registry: TranscriptRegistry;
  readonly now: () => number;
  /** How much longer than a part took the copier waits after it. */
  readonly pauseFactor: number;
}

interface CopyInProgress {
  readonly copied: Promise<void>;
  /** Somebody waits for it: no more pauses. */
  readonly hurry: AbortController;
}

type ReadOrder = OrderOfKind<"read-transcript">;
type KnownMessages = NonNullable<ReadOrder["known"]>;

/** Copies the transcripts of sessions into the store, part by part. */
export class TranscriptCopier {
  readonly #options: TranscriptCopierOptions;
  readonly #copies = new Map<string, CopyInProgress>();
  /** When a session is due again, if it is not at once. */
  readonly #dueAt = new Map<string, number>();

  constructor(options: TranscriptCopierOptions) {
    this.#options = options;
  }

  /** Whether lines of this transcript may be missing in the store. */
  isDue(row: TranscriptRow): boolean {
    const { session, configFolder, gone } = row;
    if (session === null || configFolder === null || gone || isCopied(row)) return false;
    if (this.#options.now() < (this.#dueAt.get(session) ?? 0)) return false;
    const found = this.#options.sessions.find(session);
    return found !== undefined && !found.alive && !isTrashed(found);
  }

  /** Copies what is missing of a session. `hurry`: without pauses. Never rejects. */
  copy(session: Session, { hurry }: { hurry: boolean }): Promise<void> {
    const running = this.#copies.get(session.id);
    if (running) {
      if (hurry) running.hurry.abort();
      return running.copied;
    }
    const row = this.#options.registry.findBySession(session);
    if (!row || !this.#isReadable(row, session)) return Promise.resolve();
    const control = new AbortController();
    if (hurry) control.abort();
    const copied = this.#copy(session, row, control.signal)
      .catch((failure: unknown) => this.#onFailed(session, failure))
      .finally(() => this.#copies.delete(session.id));
    this.#copies.set(session.id, { copied, hurry: control });
    return copied;
  }

  #isReadable(row: TranscriptRow, session: Session): boolean {
    const { configFolder, gone } = row;
    return configFolder !== null && !gone && !isCopied(row) && !session.alive;
  }

  async #copy(session: Session, row: TranscriptRow, hurry: AbortSignal): Promise<void> {
    const { size } = row;
    const { store } = this.#options;
    let known = await this.#listKnown(session);
    let cursor = row.cursor === null ? undefined : (JSON.parse(row.cursor) as ReadOrder["cursor"]);
    let isCompared = false;
    for (let next: Promise<TranscriptPart> | undefined; ;) {
      const began = performance.now();
      const part = await (next ?? this.#read(row, cursor, known));
      next = undefined;
      const { frame } = part;
      if (frame.changed === "deleted") return this.#update(row, { gone: true });
      if (frame.changed !== undefined) {
        if (isCompared) throw new Error("The file changes all the time.");
        isCompared = true;
        known = { uuids: await store.messageIds(session.id, "all", MAX_COMPARED), skip: false };
        cursor = undefined;
        continue;
      }
      cursor = frame.cursor;
      const isRead = frame.isAtEnd && !frame.isTurnOpen;
      if (!frame.isAtEnd && hurry.aborted) {
        next = this.#read(row, cursor, known);
        next.catch(() => {}); // it is awaited in the next round, unless this one fails
      }
      await this.#store(session, row, part, isRead ? size : -1);
      if (frame.isAtEnd) {
        if (frame.isTurnOpen) this.#dueAt.set(session.id, this.#options.now() + OPEN_TURN_MS);
        else this.#dueAt.delete(session.id);
        return;
      }
      if (session.alive || isTrashed(session)) return;
      await pause((performance.now() - began) * this.#options.pauseFactor, hurry);
    }
  }

  /** The messages of runs of this hub, which are in the log already. */
  async #listKnown(session: Session): Promise<KnownMessages | undefined> {
    if (session.row.run === null) return undefined;
    return {
      uuids: await this.#options.store.messageIds(session.id, "runs", MAX_KNOWN),
      skip: true,
    };
  }

  #read(
    { runner, conversation, configFolder, project }: TranscriptRow,
    cursor: ReadOrder["cursor"],
    known: KnownMessages | undefined,
  ): Promise<TranscriptPart> {
    const link = this.#options.links.get(runner);
    if (!link) return Promise.reject(new Error("The machine of this session is not connected."));
    const order: ReadOrder = {
      kind: "read-transcript",
      configFolder: configFolder ?? "",
      project: project ?? "",
      conversation,
      ...(cursor && { cursor }),
      ...(known && { known }),
    };
    return link.sendOrder(crypto.randomUUID(), order) as Promise<TranscriptPart>;
  }

  /** Stores a part together with the place behind it, so that no part is stored twice. */
  async #store(
    session: Session,
    row: TranscriptRow,
    { frame, lines }: TranscriptPart,
    readSize: number,
  ): Promise<void> {
    const { registry } = this.#options;
    const current = registry.find(row.runner, row.conversation) ?? row;
    const next: TranscriptRow = {
      ...current,
      title: frame.title ?? current.title,
      cursor: JSON.stringify(frame.cursor),
      problems: addProblems(current.problems, frame.problems),
      problem: null,
      readSize,
    };
    await session.addTranscriptLines(
      lines.map((line) => ({ ...line, seq: null, run: null })),
      [{ kind: "transcript", row: next }],
    );
    registry.put(next);
    if (lines.length > 0) registry.noteWrittenElsewhere(session.id, current.writtenAt);
    if (lines.length > 0 || readSize >= 0) session.notifyChanged();
  }

  async #onFailed(session: Session, failure: unknown): Promise<void> {
    const { registry, now } = this.#options;
    this.#dueAt.set(session.id, now() + RETRY_MS);
    const row = registry.findBySession(session);
    if (!row || !this.#options.links.get(row.runner)) return;
    await this.#update(row, { problem: errorMessage(failure) }).catch(() => {});
  }

  async #update(row: TranscriptRow, patch: Partial<TranscriptRow>): Promise<void> {
    const { store, links, registry } = this.#options;
    const next = { ...(registry.find(row.runner, row.conversation) ?? row), ...patch };
    await store.commit([{ kind: "transcript", row: next }], links.getFence(row.runner));
    registry.put(next);
  }
}

function addProblems(
  before: string | null,
  added: Readonly<Record<string, number>>,
): string | null {
  if (Object.keys(added).length === 0) return before;
  const counts = before === null ? {} : (JSON.parse(before) as Record<string, number>);
  for (const [kind, count] of Object.entries(added)) counts[kind] = (counts[kind] ?? 0) + count;
  return JSON.stringify(counts);
}

/** Waits, unless somebody is in a hurry. */
async function pause(ms: number, hurry: AbortSignal): Promise<void> {
  if (hurry.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    hurry.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
