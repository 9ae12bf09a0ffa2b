import type {
  DeviceRole,
  McpServerConfig,
  NewSession,
  PolicyName,
  SessionColor,
} from "@signalbox/api";

/** What a check of the database's structure found: sentences of SQLite's, none where it is sound. */
export interface CheckResult {
  readonly at: number;
  readonly problems: readonly string[];
}

/** Where the next run takes the conversation up, until it has. */
export interface ResumePoint {
  /** Cut after this message of the agent's or the person's. */
  readonly at?: string;
  /** As a conversation of its own. */
  readonly fork?: boolean;
}

export type StoredVariables = Readonly<Record<string, string | { readonly value: string }>>;

/** The options that hold secrets, with their values. */
export interface StoredSecrets {
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  readonly variables?: StoredVariables;
}
/** The options of a session as they are stored: what it was made with, with the values of secrets. */
export type StoredOptions = Omit<
  NewSession,
  "prompt" | "confirmed" | "withoutDefaults" | keyof StoredSecrets
> &
  StoredSecrets;

/** A session as it is stored; `options` is what it was made with, less the prompt. */
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
    /** The role of whoever made it; sessions of before have none. */
    readonly startedBy?: DeviceRole;
    /** The run during which options were changed: it does not have them. */
    readonly changedInRun?: string;
    /** Whether the system prompt is another one than that with which the conversation began. */
    readonly isSystemPromptChanged?: true;
  };
  readonly forkOf: string | null;
  /** The agent's own id of the conversation, for `--resume`; null: none yet, or dropped. */
  readonly conversation: string | null;
  /** `new`, `starting`, `running`, `parked`, `stopped`, `crashed`. */
  readonly state: string;
  readonly problem: string | null;
  /** The newest run, living or not. */
  readonly run: string | null;
  /** What a person chose; null: by its id. */
  readonly colour: SessionColor | null;
}

/** How far a session has come. It is small, and stored with every batch of lines in their transaction. */
export interface HeadRow {
  readonly session: string;
  /** The last line of the runner's that is in here, whether or not it is stored by itself. */
  readonly seq: number;
  /** The last row of the log. */
  readonly pos: number;
  readonly rev: number;
  /** `Summary` as JSON. */
  readonly summary: string;
  /** The number of the checkpoint from which the state continues. */
  readonly checkpoint: number;
  /**
   * What has changed in the timeline's state since that checkpoint, such as the text that is being written:
   * `JsonChanges` as JSON; null: nothing.
   */
  readonly changes: string | null;
}

/** The whole state of a session's timeline, which is stored now and then. */
export interface CheckpointRow {
  readonly session: string;
  /** Counts the checkpoints of the session. The newest one is kept. */
  readonly number: number;
  /** `SavedCheckpoint` as JSON. */
  readonly state: string;
}

export interface SessionProgress {
  readonly head: HeadRow;
  /** Undefined: the database is damaged. */
  readonly checkpoint: CheckpointRow | undefined;
}

/** A page of a session's memory, which changes seldom: `Page` as text. */
export interface MemoryRow {
  readonly session: string;
  readonly page: number;
  readonly keys: string;
}

export interface LineRow {
  readonly session: string;
  /** Its place in the log: gap-free, and the order of everything. */
  readonly pos: number;
  /** The runner's number; null: the hub wrote it. */
  readonly seq: number | null;
  readonly run: string | null;
  readonly from: "agent" | "host" | "keeper";
  readonly at: number;
  readonly text: string;
  readonly droppedBytes: number | null;
  /** The bytes as they came, when they were not UTF-8. */
  readonly original: Uint8Array | null;
  /** Set: the line has so many characters, lies in `textBlob`, and `text` is its beginning. */
  readonly characters: number | null;
  /** Where a long text, and original bytes, are kept: named by the store, or by who kept them in pieces. */
  readonly textBlob: string | null;
  readonly originalBlob: string | null;
}

/** Words that are being written are numbered and have no row, so the agent's lines are what is left. */
export interface RunLineCounts {
  readonly first: number | null;
  readonly others: number;
}

/** An item as JSON, its large bodies already cut out. */
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
  /** The `PromptContext` as JSON; null: it has none. */
  readonly context: string | null;
  readonly now: boolean;
  /** The run it was sent to; null: it waits. */
  readonly sentTo: string | null;
  readonly at: number;
  /** Proves that this hub has accepted the message; null: it has not, or it was accepted before there were seals. */
  readonly seal: string | null;
}

/** A message that is being written, as it was saved last. */
export interface DraftRow {
  readonly name: string;
  /** The session with which it goes; null: it is the draft of a new one. */
  readonly session: string | null;
  /** The `DraftView` as JSON. */
  readonly json: string;
}

/** An order to a runner that must reach it: it stands until the runner has said what became of it. */
export interface OrderRow {
  readonly id: string;
  readonly session: string;
  readonly runner: string;
  readonly json: string;
}

export interface ReceiptRow {
  readonly id: string;
  readonly device: string;
  /** What was asked, so that the same id for something else is refused. */
  readonly request: string;
  readonly status: number;
  readonly body: string;
  readonly at: number;
  /** What it was about: its text goes when the session is deleted. */
  readonly session: string | null;
}

export interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly role: "viewer" | "driver" | "approver" | "admin" | "runner";
  /** SHA-256 of its token, in hex; empty for a device with a key. The token itself is nowhere. */
  readonly tokenHash: string;
  /** By which its signatures are checked; null: a program's token, or a device of the time before keys. */
  readonly publicKey: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
  readonly expiresAt: number;
}

/** The head of the chain is added by the store: hash of the entry before it and of this one. */
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
  /** The hub's own, of `auditSignatureText`; null: the entry is older than the hub's signing. */
  readonly signature: string | null;
}
/** How it is known which entries this hub wrote. */
export interface AuditSigning {
  /** The hub's. */
  readonly publicKey: string;
  /**
   * The entry with which signing began, as it is kept outside of the database: it vouches for all before
   * it, and all after it have to be signed.
   */
  readonly from: { readonly nth: number; readonly hash: string };
}
export interface AuditVerdict {
  readonly entries: number;
  readonly head: string;
  /** So many at the beginning were written before the hub signed its entries. */
  readonly unsigned: number;
  readonly broken?: { readonly nth: number; readonly why: string };
}

/** A session as the hub reads it when it starts, with what its board shows. */
export interface StoredSession {
  readonly row: SessionRow;
  /** The newest run, living or not. */
  readonly run: RunRow | undefined;
  /** Undefined: nothing was made of its lines yet. */
  readonly head: { readonly summary: string; readonly rev: number } | undefined;
}

/**
 * One thing to write. What is handed over together is written together or not at all. A row that is
 * there already is replaced; a line, a receipt and an audit entry are written once, and the same place or
 * id again is refused. What belongs to a session is refused when there is no such session.
 */
export type Change =
  | { readonly kind: "session"; readonly row: SessionRow }
  /**
   * With everything that belongs to it; its audit entries stay. Of its receipts the text goes, and that the
   * command was given stays. What is deleted is overwritten, in the write-ahead log too.
   */
  | { readonly kind: "session-deleted"; readonly id: string }
  | { readonly kind: "head"; readonly row: HeadRow }
  | { readonly kind: "checkpoint"; readonly row: CheckpointRow }
  | { readonly kind: "memory"; readonly row: MemoryRow }
  | { readonly kind: "line"; readonly row: LineRow }
  /** Gives a session the lines of another up to a place, without their numbers: a fork. */
  | {
      readonly kind: "log-copied";
      readonly from: string;
      readonly to: string;
      readonly end: number;
    }
  | { readonly kind: "item"; readonly row: ItemRow }
  /** All items of a session go, before they are written anew. */
  | { readonly kind: "items-cleared"; readonly session: string }
  | { readonly kind: "run"; readonly row: RunRow }
  | { readonly kind: "ask"; readonly row: AskRow }
  /** Closes an ask if it is open in the store. Somebody who closed it first: `conflict`. */
  | { readonly kind: "ask-closed"; readonly row: AskRow }
  | { readonly kind: "prompt"; readonly row: PromptRow }
  | { readonly kind: "prompt-gone"; readonly id: string }
  | { readonly kind: "draft"; readonly row: DraftRow }
  | { readonly kind: "order"; readonly row: OrderRow }
  | { readonly kind: "order-done"; readonly id: string }
  /** A receipt with this id is there already: `conflict`, and that one counts. */
  | { readonly kind: "receipt"; readonly row: ReceiptRow }
  | { readonly kind: "device"; readonly row: DeviceRow }
  | { readonly kind: "device-gone"; readonly id: string }
  | { readonly kind: "audit"; readonly news: NewAuditEntry }
  /** `session` holds it: a blob goes with the last session that holds it. */
  | {
      readonly kind: "blob";
      readonly session: string;
      readonly hash: string;
      readonly bytes: Uint8Array;
    }
  /** Bytes from `start` on of something long, which is made a blob when all of it is there. */
  | {
      readonly kind: "piece";
      readonly of: string;
      readonly start: number;
      readonly bytes: Uint8Array;
    }
  /** It will not come whole. (What is left over when the store opens goes, too.) */
  | { readonly kind: "pieces-gone"; readonly of: string }
  /** All its pieces are there: they are a blob of this hash. Refused when one is missing. */
  | {
      readonly kind: "blob-of-pieces";
      readonly session: string;
      readonly hash: string;
      readonly of: string;
      readonly size: number;
    }
  | { readonly kind: "setting"; readonly key: string; readonly value: string }
  /** A setting that is written once. It is there already: `conflict`, and that value counts. */
  | { readonly kind: "setting-added"; readonly key: string; readonly value: string }
  /** Overwritten, in the write-ahead log too. */
  | { readonly kind: "setting-gone"; readonly key: string };

/** `files-changed`: the database's files were deleted, replaced or cut under the running hub. */
export type StoreTrouble = "disk-full" | "read-only" | "damaged" | "io-error" | "files-changed";
/** Whether the store can be written; if not, what to tell a person. */
export type StoreHealth =
  | { readonly writable: true }
  | { readonly writable: false; readonly why: StoreTrouble; readonly detail: string };

/** The connection of a runner for which a hub claims it: a later one of the same process has a higher number. */
export interface RunnerClaim {
  readonly runner: string;
  readonly process: string;
  readonly generation: number;
}

/** Proves that a hub has claimed a runner. A later claim has a higher token, and is the one that counts. */
export interface Fence {
  readonly runner: string;
  readonly token: number;
}

/** A part of a blob: bytes from `start` up to and without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Why a write or a read failed: the store's trouble, or
 * - `refused`: a change is at fault, for example a line whose position is taken;
 * - `conflict`: somebody else wrote first what is written once; read theirs;
 * - `moved`: another hub has claimed the runner whose session this is;
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
 * The hub's memory. Writes are grouped: whatever is handed over within 5 ms is one transaction, and
 * each promise resolves when its own is on the disk. In order: what was handed over first is written
 * first. When a write fails, its promise rejects with STORE_FAILED, `health` says why, and nothing of it is there.
 */
export interface Store extends AsyncDisposable {
  /** Changes when the store is replaced: revisions of another epoch mean nothing. */
  readonly epoch: string;
  /**
   * The machine of this hub. A store may be shared by hubs of several machines; what each has one of, such
   * as its own runner, is stored under this name.
   */
  readonly machine: string;
  readonly health: StoreHealth;
  /** When the structure of the database was last checked, and what was found; undefined: not yet. */
  readonly lastCheck: CheckResult | undefined;
  onHealth(listener: (health: StoreHealth) => void): () => void;

  /**
   * Takes over a runner that has connected: from now on only commits with the returned fence count for its
   * sessions. Undefined: the runner has connected to another hub since. What the store has of its sessions
   * is read after that.
   */
  claim(claim: RunnerClaim): Promise<Fence | undefined>;
  /**
   * With a fence, all is refused as `moved` once another hub has claimed the fence's runner. Where a store
   * has one hub, as the embedded one, a runner cannot move, and fences cost nothing.
   */
  commit(changes: readonly Change[], fence?: Fence): Promise<void>;
  /** From now on every audit entry is signed with this private key (PKCS #8 in base64url). */
  signAudit(privateKey: string): void;

  sessions(): Promise<SessionRow[]>;
  /** All sessions, each with its newest run and its summary, read at one moment. */
  storedSessions(): Promise<StoredSession[]>;
  head(session: string): Promise<HeadRow | undefined>;
  /** A session's head and its checkpoint, read at one moment. */
  progress(session: string): Promise<SessionProgress | undefined>;
  memories(session: string): Promise<MemoryRow[]>;
  /** Newest first below `before`; given back in the order of the conversation. */
  itemsBefore(session: string, before: number | undefined, limit: number): Promise<ItemRow[]>;
  /** The newest whose JSON holds a text; given back in the order of the conversation. */
  itemsContaining(session: string, text: string, limit: number): Promise<ItemRow[]>;
  /** By revision, at most so many bytes of JSON but at least one; those of one revision are never parted. */
  itemsAfterRev(session: string, rev: number, maxBytes: number): Promise<ItemRow[]>;
  /** How many items changed after `rev`; after 0: how many there are. */
  countItems(session: string, afterRev: number): Promise<number>;
  item(session: string, id: string): Promise<ItemRow | undefined>;
  linesAfter(session: string, pos: number, limit: number, maxBytes?: number): Promise<LineRow[]>;
  linesBefore(session: string, pos: number | undefined, limit: number): Promise<LineRow[]>;
  /** Of a run: the number of its first line, and how many are not the agent's. */
  countRunLines(session: string, run: string): Promise<RunLineCounts>;
  /** What the agent, or its host, said in a run, from its beginning on. */
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
  /** The orders that a runner has not yet said to have carried out. */
  orders(runner: string): Promise<OrderRow[]>;
  receipt(id: string): Promise<ReceiptRow | undefined>;
  devices(): Promise<DeviceRow[]>;
  audit(afterNth: number, limit: number): Promise<AuditRow[]>;
  /** Newest first, below `before`. */
  auditBefore(before: number | undefined, limit: number): Promise<AuditRow[]>;
  auditHead(): Promise<string>;
  /**
   * Walks the chain; names the first entry that does not fit. `keptHeads` are heads that devices have
   * kept: one that is missing shows that the end of the chain was cut off. `signing`: an entry that is not
   * signed as it says does not fit either.
   */
  verifyAudit(keptHeads?: readonly string[], signing?: AuditSigning): Promise<AuditVerdict>;
  blobSize(hash: string): Promise<number | undefined>;
  blob(hash: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  setting(key: string): Promise<string | undefined>;
  checkIntegrity(): Promise<string[]>;
}
