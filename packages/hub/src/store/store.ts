import type {
  DeviceRole,
  McpServerConfig,
  NewSession,
  PolicyName,
  SessionColor,
} from "@signalbox/api";

/** The result of a check of the database's structure: SQLite's messages, none if it is intact. */
export interface CheckResult {
  readonly at: number;
  readonly problems: readonly string[];
}

/** The point at which the next run resumes the conversation, until it has done so. */
export interface ResumePoint {
  /** Cut after this message of the agent or the person. */
  readonly at?: string;
  /** As a separate conversation. */
  readonly fork?: boolean;
}

export type StoredVariables = Readonly<Record<string, string | { readonly value: string }>>;

/** The options that contain secrets, with their values. */
export interface StoredSecrets {
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  readonly variables?: StoredVariables;
}
/** The stored options of a session: those of its creation, with the values of secrets. */
export type StoredOptions = Omit<
  NewSession,
  "prompt" | "confirmed" | "withoutDefaults" | keyof StoredSecrets
> &
  StoredSecrets;

/** A stored session; `options` are those of its creation without the prompt. */
export interface SessionRow {
  readonly id: string;
  readonly folder: string;
  readonly title: string;
  readonly named: boolean;
  readonly agent: string;
  readonly driver: string;
  readonly runner: string;
  readonly policy: PolicyName;
  readonly bypassUntil: number | null;
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly createdAt: number;
  readonly options: StoredOptions & {
    readonly takeUp?: ResumePoint;
    /** The role of the creator; sessions of earlier versions have none. */
    readonly startedBy?: DeviceRole;
    /** The run during which options were changed, which does not have the changes. */
    readonly changedInRun?: string;
    /** Whether the system prompt differs from the one with which the conversation began. */
    readonly isSystemPromptChanged?: true;
    /** The driver to which the session goes when its turn is over, and the name of who wants it. */
    readonly switchTo?: { readonly driver: string; readonly by: string };
    /** The driver of the chat to which a session in the terminal goes back. */
    readonly chatDriver?: string;
  };
  readonly forkOf: string | null;
  /**
   * The agent's own id of the conversation, for `--resume`; null if there is none, or it was
   * dropped.
   */
  readonly conversation: string | null;
  /** `new`, `starting`, `running`, `parked`, `stopped`, `crashed`. */
  readonly state: string;
  readonly problem: string | null;
  /** The newest run, running or ended. */
  readonly run: string | null;
  /** The title that a person chose; null: the session is shown by its id. */
  readonly colour: SessionColor | null;
  readonly labels: readonly string[];
  readonly snoozedUntil: number | null;
  readonly trashedAt: number | null;
}

/**
 * The progress of a session. It is small, and stored with every batch of lines in the same
 * transaction.
 */
export interface HeadRow {
  readonly session: string;
  /** The runner's last line that is included, whether or not it is stored as a row. */
  readonly seq: number;
  /** The last row of the log. */
  readonly pos: number;
  readonly rev: number;
  /** `Summary` as JSON. */
  readonly summary: string;
  /** The number of the checkpoint on which the state is based. */
  readonly checkpoint: number;
  /**
   * The changes of the timeline's state since that checkpoint, such as text that is being written:
   * `JsonChanges` as JSON; null: none.
   */
  readonly changes: string | null;
}

/** The whole state of a session's timeline, stored from time to time. */
export interface CheckpointRow {
  readonly session: string;
  /** Counts the checkpoints of the session. Only the newest one is stored. */
  readonly number: number;
  /** `SavedCheckpoint` as JSON. */
  readonly state: string;
}

export interface SessionProgress {
  readonly head: HeadRow;
  /** Undefined if the database is damaged. */
  readonly checkpoint: CheckpointRow | undefined;
}

/** A page of a session's memory of ids, which rarely changes: `Page` as text. */
export interface IdPageRow {
  readonly session: string;
  readonly page: number;
  readonly keys: string;
}

export interface LineRow {
  readonly session: string;
  /** Its position in the log, without gaps; defines the order of everything. */
  readonly pos: number;
  /** The runner's number; null if the hub wrote the line. */
  readonly seq: number | null;
  readonly run: string | null;
  readonly from: "agent" | "host" | "keeper";
  readonly at: number;
  readonly text: string;
  readonly droppedBytes: number | null;
  /** The original bytes, if they were not UTF-8. */
  readonly original: Uint8Array | null;
  /**
   * If set, the line has this many characters, is stored in `textBlob`, and `text` is its
   * beginning.
   */
  readonly characters: number | null;
  /**
   * The blob of a long text or of original bytes, named by the store or by the code that stored its
   * pieces.
   */
  readonly textBlob: string | null;
  readonly originalBlob: string | null;
}

/** Text deltas are numbered and have no row, so this counts the agent's other lines. */
export interface RunLineCounts {
  readonly first: number | null;
  readonly others: number;
}

/** An item as JSON, with its large bodies replaced. */
export interface ItemRow {
  readonly session: string;
  readonly id: string;
  readonly order: number;
  readonly rev: number;
  readonly json: string;
}

export interface RunRow {
  readonly id: string;
  readonly session: string;
  readonly runner: string;
  readonly startedAt: number;
  readonly facts: string | null;
  readonly endedAt: number | null;
  readonly end: string | null;
}

export interface AskRow {
  readonly id: string;
  readonly session: string;
  readonly run: string;
  readonly requestId: string;
  readonly status: "open" | "answered" | "cancelled" | "expired";
  readonly openedAt: number;
  /** The `AskView` as JSON. */
  readonly json: string;
}

export interface PromptRow {
  readonly id: string;
  readonly session: string;
  readonly place: number;
  readonly text: string;
  /** `[{blob, name?}]` as JSON. */
  readonly images: string;
  /** The `PromptContext` as JSON; null if it has none. */
  readonly context: string | null;
  readonly now: boolean;
  /** The run to which it was sent; null while it waits. */
  readonly sentTo: string | null;
  readonly at: number;
  /**
   * Proves that this hub has accepted the message; null if it has not, or if it was accepted before
   * there were seals.
   */
  readonly seal: string | null;
}

/** A message that is being written, as last saved. */
export interface DraftRow {
  readonly name: string;
  /** The session with which it is deleted; null: it is the draft of a new session. */
  readonly session: string | null;
  /** The `DraftView` as JSON. */
  readonly json: string;
}

/** A transcript of Claude Code, as the hub knows it. */
export interface TranscriptRow {
  readonly runner: string;
  /** Claude Code's id of the session. */
  readonly conversation: string;
  /** The session that has it; null: a person has deleted that one, and it does not come back. */
  readonly session: string | null;
  /** Where it is; null: no list has had it yet. */
  readonly configFolder: string | null;
  readonly project: string | null;
  /** The session was not made here: the hub knows of it by its transcript alone. */
  readonly imported: boolean;
  readonly title: string | null;
  readonly size: number;
  readonly writtenAt: number;
  /** The size up to which its lines are stored, all of them; -1: they are not. */
  readonly readSize: number;
  /** The `TranscriptCursor` behind the lines that are stored, as JSON. */
  readonly cursor: string | null;
  /** What could not be read as it should, by kind, as JSON. */
  readonly problems: string | null;
  /** Why it cannot be read at all, in a sentence for a person. */
  readonly problem: string | null;
  /** The file is not there any more. */
  readonly gone: boolean;
}

/** An order that must reach a runner: it is stored until the runner has reported the result. */
export interface OrderRow {
  readonly id: string;
  readonly session: string;
  readonly runner: string;
  readonly json: string;
}

export interface ReceiptRow {
  readonly id: string;
  readonly device: string;
  /** A hash of the request, so that the same id for another request is refused. */
  readonly request: string;
  readonly status: number;
  readonly body: string;
  readonly at: number;
  /** The session of the request: the text is deleted with it. */
  readonly session: string | null;
}

export interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly role: "viewer" | "driver" | "approver" | "admin" | "runner";
  /**
   * SHA-256 of its token, in hex; empty for a device with a key. The token itself is not stored.
   */
  readonly tokenHash: string;
  /**
   * The public key for its signatures; null for a program's token, or a device from before there
   * were keys.
   */
  readonly publicKey: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
  readonly expiresAt: number;
}

/**
 * An audit entry. The store adds its place in the chain: the hash of the entry before it and its
 * own.
 */
export interface NewAuditEntry {
  readonly at: number;
  readonly what: string;
  readonly by: string | null;
  readonly session: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}
export interface AuditRow extends NewAuditEntry {
  readonly nth: number;
  readonly hash: string;
  /** The hub's signature of `auditSignatureText`; null if the entry is older than signing. */
  readonly signature: string | null;
}
/** How entries written by this hub are recognized. */
export interface AuditSigning {
  /** The hub's public key. */
  readonly publicKey: string;
  /**
   * The entry at which signing began, stored outside of the database: it covers all entries before
   * it, and all later entries must be signed.
   */
  readonly from: { readonly nth: number; readonly hash: string };
}
export interface AuditVerdict {
  readonly entries: number;
  readonly head: string;
  /** How many entries at the beginning were written before the hub signed its entries. */
  readonly unsigned: number;
  readonly broken?: { readonly nth: number; readonly why: string };
}

/** A session as the hub loads it at its start, with the data for the board. */
export interface StoredSession {
  readonly row: SessionRow;
  /** The newest run, running or ended. */
  readonly run: RunRow | undefined;
  /** Undefined if none of its lines was processed yet. */
  readonly head: { readonly summary: string; readonly rev: number } | undefined;
}

/**
 * One change. Changes that are passed together are written together or not at all. An existing row
 * is replaced; a line, a receipt and an audit entry are written once, and an existing position or
 * id is refused. A change for a session is refused if the session does not exist.
 */
export type Change =
  | { readonly kind: "session"; readonly row: SessionRow }
  /**
   * Deletes a session with everything that belongs to it, except audit entries. Its receipts lose
   * their text, but remain as a record of the command. Deleted data is overwritten, in the
   * write-ahead log too.
   */
  | { readonly kind: "session-deleted"; readonly id: string }
  | { readonly kind: "head"; readonly row: HeadRow }
  | { readonly kind: "checkpoint"; readonly row: CheckpointRow }
  | { readonly kind: "memory"; readonly row: IdPageRow }
  | { readonly kind: "line"; readonly row: LineRow }
  /** Copies the lines of another session up to a position, without their numbers, for a fork. */
  | {
      readonly kind: "log-copied";
      readonly from: string;
      readonly to: string;
      readonly end: number;
    }
  | { readonly kind: "item"; readonly row: ItemRow }
  /** Deletes all items of a session, before they are written again. */
  | { readonly kind: "items-cleared"; readonly session: string }
  | { readonly kind: "run"; readonly row: RunRow }
  | { readonly kind: "ask"; readonly row: AskRow }
  /** Closes an ask if it is open in the store; `conflict` if somebody else closed it first. */
  | { readonly kind: "ask-closed"; readonly row: AskRow }
  | { readonly kind: "prompt"; readonly row: PromptRow }
  | { readonly kind: "prompt-gone"; readonly id: string }
  | { readonly kind: "draft"; readonly row: DraftRow }
  | { readonly kind: "transcript"; readonly row: TranscriptRow }
  | { readonly kind: "order"; readonly row: OrderRow }
  | { readonly kind: "order-done"; readonly id: string }
  /** `conflict` if a receipt with this id exists, which then counts. */
  | { readonly kind: "receipt"; readonly row: ReceiptRow }
  | { readonly kind: "device"; readonly row: DeviceRow }
  | { readonly kind: "device-gone"; readonly id: string }
  | { readonly kind: "audit"; readonly news: NewAuditEntry }
  /** The session that holds the blob: a blob is deleted with the last session that holds it. */
  | {
      readonly kind: "blob";
      readonly session: string;
      readonly hash: string;
      readonly bytes: Uint8Array;
    }
  /** Bytes from `start` on of a long text, which becomes a blob when it is complete. */
  | {
      readonly kind: "piece";
      readonly of: string;
      readonly start: number;
      readonly bytes: Uint8Array;
    }
  /**
   * Deletes pieces that will not be completed. (The store also deletes leftovers when it opens.)
   */
  | { readonly kind: "pieces-gone"; readonly of: string }
  /** Creates a blob with this hash from complete pieces; refused if one is missing. */
  | {
      readonly kind: "blob-of-pieces";
      readonly session: string;
      readonly hash: string;
      readonly of: string;
      readonly size: number;
    }
  | { readonly kind: "setting"; readonly key: string; readonly value: string }
  /** A setting that is written once; `conflict` if it exists, and its value counts. */
  | { readonly kind: "setting-added"; readonly key: string; readonly value: string }
  /** A setting that is overwritten, in the write-ahead log too. */
  | { readonly kind: "setting-gone"; readonly key: string };

/** `files-changed`: the database's files were deleted, replaced or cut under the running hub. */
export type StoreTrouble = "disk-full" | "read-only" | "damaged" | "io-error" | "files-changed";
/** Whether the store can be written; if not, the message for a person. */
export type StoreHealth =
  | { readonly writable: true }
  | { readonly writable: false; readonly why: StoreTrouble; readonly detail: string };

/**
 * The connection of a runner for which a hub claims it: later connections of the same process have
 * higher numbers.
 */
export interface RunnerClaim {
  readonly runner: string;
  readonly process: string;
  readonly generation: number;
}

/** Proves that a hub has claimed a runner. A later claim has a higher token and replaces it. */
export interface Fence {
  readonly runner: string;
  readonly token: number;
}

/** A part of a blob: bytes from `start` up to, but excluding, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Why a write or a read failed: a failure of the store, or
 * - `refused`: the change is invalid, for example because a line's position is taken;
 * - `conflict`: somebody else was first to write something that is written once; read the stored
 *   value;
 * - `moved`: another hub has claimed the session's runner;
 * - `closed`: the store is closed.
 */
export type StoreFailure = StoreTrouble | "refused" | "conflict" | "moved" | "closed";

/** A write or a read that failed. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code = "STORE_FAILED";
  readonly why: StoreFailure;
  constructor(why: StoreFailure, sentence: string) {
    super(sentence);
    this.why = why;
  }
}

/**
 * The hub's storage. Writes are grouped: changes passed within 5 ms are one transaction, and each
 * promise resolves when its changes are on the disk. Writes keep their order. If a write fails, its
 * promise rejects with STORE_FAILED, `health` says why, and none of its changes are stored.
 */
export interface Store extends AsyncDisposable {
  /** Changes when the store is replaced: revisions of another epoch are invalid. */
  readonly epoch: string;
  /**
   * The machine of this hub. Hubs of several machines may share a store; data that exists once per
   * machine, such as its own runner, is stored under this name.
   */
  readonly machine: string;
  readonly health: StoreHealth;
  /**
   * When the structure of the database was last checked, and the result; undefined before the first
   * check.
   */
  readonly lastCheck: CheckResult | undefined;
  onHealth(listener: (health: StoreHealth) => void): () => void;

  /**
   * Claims a connected runner: from now on only commits with the returned fence are accepted for
   * its sessions. Undefined if the runner has connected to another hub since. Read the stored data
   * of its sessions after this call.
   */
  claim(claim: RunnerClaim): Promise<Fence | undefined>;
  /**
   * With a fence, everything is refused as `moved` once another hub has claimed the fence's runner.
   * In a store with one hub, as the embedded one, a runner cannot move, and fences cost nothing.
   */
  commit(changes: readonly Change[], fence?: Fence): Promise<void>;
  /** Signs every audit entry with this private key (PKCS #8 in base64url) from now on. */
  signAudit(privateKey: string): void;

  sessions(): Promise<SessionRow[]>;
  /** Returns all sessions, each with its newest run and its summary, read at one moment. */
  storedSessions(): Promise<StoredSession[]>;
  head(session: string): Promise<HeadRow | undefined>;
  /** Returns a session's progress and its checkpoint, read at one moment. */
  progress(session: string): Promise<SessionProgress | undefined>;
  idPages(session: string): Promise<IdPageRow[]>;
  /** Selects the newest items below `before`; returned in the order of the conversation. */
  itemsBefore(session: string, before: number | undefined, limit: number): Promise<ItemRow[]>;
  /**
   * Selects the newest items whose JSON contains a text; returned in the order of the conversation.
   */
  itemsContaining(session: string, text: string, limit: number): Promise<ItemRow[]>;
  /**
   * Returns items by revision, up to a number of bytes of JSON but at least one; items of one
   * revision are never separated.
   */
  itemsAfterRev(session: string, rev: number, maxBytes: number): Promise<ItemRow[]>;
  /** Returns how many items changed after `rev`; after 0, how many there are. */
  countItems(session: string, afterRev: number): Promise<number>;
  item(session: string, id: string): Promise<ItemRow | undefined>;
  linesAfter(session: string, pos: number, limit: number, maxBytes?: number): Promise<LineRow[]>;
  linesBefore(session: string, pos: number | undefined, limit: number): Promise<LineRow[]>;
  /** Returns the number of a run's first line, and how many lines are not the agent's. */
  countRunLines(session: string, run: string): Promise<RunLineCounts>;
  /** Returns the lines of the agent or its host in a run, from its beginning. */
  runLines(
    session: string,
    run: string,
    from: LineRow["from"],
    limit: number,
  ): Promise<readonly LineRow[]>;
  run(id: string): Promise<RunRow | undefined>;
  openAsks(): Promise<AskRow[]>;
  ask(id: string): Promise<AskRow | undefined>;
  prompts(): Promise<PromptRow[]>;
  drafts(): Promise<DraftRow[]>;
  transcripts(): Promise<TranscriptRow[]>;
  /**
   * Returns the ids of the newest messages in a session's log, as Claude Code names them: of its
   * runs, or also of what was read from a transcript.
   */
  messageIds(session: string, from: "runs" | "all", limit: number): Promise<string[]>;
  /** Returns the orders whose result a runner has not reported yet. */
  orders(runner: string): Promise<OrderRow[]>;
  receipt(id: string): Promise<ReceiptRow | undefined>;
  devices(): Promise<DeviceRow[]>;
  audit(afterNth: number, limit: number): Promise<AuditRow[]>;
  /** Newest first, below `before`. */
  auditBefore(before: number | undefined, limit: number): Promise<AuditRow[]>;
  auditHead(): Promise<string>;
  /**
   * Verifies the chain and returns the first entry that does not fit. `keptHeads` are heads that
   * devices have stored: a missing one shows that the end of the chain was cut off. With `signing`,
   * an entry without a valid signature does not fit either.
   */
  verifyAudit(keptHeads?: readonly string[], signing?: AuditSigning): Promise<AuditVerdict>;
  blobSize(hash: string): Promise<number | undefined>;
  blob(hash: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  setting(key: string): Promise<string | undefined>;
  checkIntegrity(): Promise<string[]>;
}
