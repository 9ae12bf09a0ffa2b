/** A table whose rows are those of `store.ts`: one column per field, with the field's name. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /**
   * The key by which an existing row is recognized and replaced; without a key a repeated row is
   * refused.
   */
  readonly replacedBy?: readonly string[];
  /** Columns that SQLite returns as 0 and 1. */
  readonly flags?: readonly string[];
  /** Columns whose values are stored as JSON. */
  readonly json?: readonly string[];
}

export const tables = {
  session: {
    name: "sessions",
    columns: [
      "id",
      "folder",
      "title",
      "named",
      "agent",
      "driver",
      "runner",
      "policy",
      "bypassUntil",
      "pinned",
      "archived",
      "createdAt",
      "options",
      "forkOf",
      "conversation",
      "state",
      "problem",
      "run",
      "colour",
      "labels",
      "snoozedUntil",
      "trashedAt",
    ],
    replacedBy: ["id"],
    flags: ["named", "pinned", "archived"],
    json: ["options", "labels"],
  },
  head: {
    name: "heads",
    columns: ["session", "seq", "pos", "rev", "summary", "checkpoint", "changes"],
    replacedBy: ["session"],
  },
  checkpoint: {
    name: "checkpoints",
    columns: ["session", "number", "state"],
    replacedBy: ["session"],
  },
  memory: {
    name: "memories",
    columns: ["session", "page", "keys"],
    replacedBy: ["session", "page"],
  },
  line: {
    name: "lines",
    columns: [
      "session",
      "pos",
      "seq",
      "run",
      "from",
      "at",
      "text",
      "droppedBytes",
      "original",
      "characters",
      "textBlob",
      "originalBlob",
    ],
  },
  item: {
    name: "items",
    columns: ["session", "id", "order", "rev", "json"],
    replacedBy: ["session", "id"],
  },
  run: {
    name: "runs",
    columns: ["id", "session", "runner", "startedAt", "facts", "endedAt", "end"],
    replacedBy: ["id"],
  },
  ask: {
    name: "asks",
    columns: ["id", "session", "run", "requestId", "status", "openedAt", "json"],
    replacedBy: ["id"],
  },
  prompt: {
    name: "prompts",
    columns: ["id", "session", "place", "text", "images", "context", "now", "sentTo", "at", "seal"],
    replacedBy: ["id"],
    flags: ["now"],
  },
  draft: { name: "drafts", columns: ["name", "session", "json"], replacedBy: ["name"] },
  transcript: {
    name: "transcripts",
    columns: [
      "runner",
      "conversation",
      "session",
      "configFolder",
      "project",
      "imported",
      "title",
      "size",
      "writtenAt",
      "readSize",
      "cursor",
      "problems",
      "problem",
      "gone",
    ],
    replacedBy: ["runner", "conversation"],
    flags: ["imported", "gone"],
  },
  order: {
    name: "orders",
    columns: ["id", "session", "runner", "json"],
    replacedBy: ["id"],
  },
  receipt: {
    name: "receipts",
    columns: ["id", "device", "request", "status", "body", "at", "session"],
  },
  device: {
    name: "devices",
    columns: [
      "id",
      "name",
      "role",
      "tokenHash",
      "publicKey",
      "createdAt",
      "lastSeenAt",
      "expiresAt",
    ],
    replacedBy: ["id"],
  },
  setting: { name: "settings", columns: ["key", "value"], replacedBy: ["key"] },
  audit: {
    name: "audit",
    columns: ["nth", "at", "what", "by", "session", "facts", "hash", "signature"],
    json: ["facts"],
  },
} satisfies Record<string, Table>;

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

/** Creates a `SELECT` of all columns; the caller adds what follows `FROM table`. */
export function selectFrom(table: Table): string {
  return `SELECT ${quoted(table.columns)} FROM "${table.name}"`;
}

export function insertInto(table: Table): string {
  const marks = table.columns.map(() => "?").join(", ");
  const insert = `INSERT INTO "${table.name}" (${quoted(table.columns)}) VALUES (${marks})`;
  const { replacedBy } = table;
  if (!replacedBy) return insert;
  // Never uses INSERT OR REPLACE: it deletes the old row first, and with a session everything that
  // belongs to it.
  const others = table.columns.filter((name) => !replacedBy.includes(name));
  const sets = others.map((name) => `"${name}" = excluded."${name}"`).join(", ");
  return `${insert} ON CONFLICT (${quoted(replacedBy)}) DO UPDATE SET ${sets}`;
}

/** Adds a row unless one with its key exists, which then stays unchanged. */
export function insertOnce(table: Table, key: string): string {
  const marks = table.columns.map(() => "?").join(", ");
  return `INSERT INTO "${table.name}" (${quoted(table.columns)}) VALUES (${marks})
    ON CONFLICT ("${key}") DO NOTHING`;
}

/** Converts a row from SQLite to the row type of `store.ts`. */
export function restoreRow(table: Table, row: Record<string, unknown>): unknown {
  for (const name of table.flags ?? []) row[name] = row[name] === 1;
  for (const name of table.json ?? []) row[name] = JSON.parse(row[name] as string);
  return row;
}
