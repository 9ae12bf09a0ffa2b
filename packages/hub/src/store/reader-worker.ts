/** The reading thread: it has its own connection, so that a slow write does not delay readers. */
import { errorMessage } from "@signalbox/protocol/text";
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { openEmpty, openForReading } from "./database.ts";
import { prepareQueries, type Queries } from "./queries.ts";
import { Statements } from "./statements.ts";
import type { StoreTrouble } from "./store.ts";
import { classifyError } from "./trouble.ts";

/** `live`: another connection may write the database meanwhile. */
export type ToReader =
  | { readonly open: string; readonly live: boolean }
  | { readonly id: number; readonly name: keyof Queries; readonly values: readonly unknown[] }
  | { readonly close: true };

export interface ReadFailure {
  readonly trouble: StoreTrouble | undefined;
  readonly message: string;
}
export type FromReader =
  | { readonly opened: true; readonly failure?: ReadFailure }
  | { readonly refused: string }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: ReadFailure }
  | { readonly closed: true };

const send = (message: FromReader) => postMessage(message);
let db: Database | undefined;
let statements: Statements | undefined;
let queries: Queries | undefined;

addEventListener("message", ({ data }: MessageEvent<ToReader>) => {
  if ("open" in data) return open(data.open, data.live);
  if ("id" in data) return answer(data.id, data.name, data.values);
  statements?.[Symbol.dispose]();
  db?.close();
  send({ closed: true });
});

/** An unreadable database is treated as empty, so that the hub can start and report the problem. */
function open(path: string, live: boolean): void {
  try {
    db = connect(path, live);
    use(db);
    send({ opened: true });
  } catch (error) {
    if (classifyError(error) !== "damaged" && existsSync(path))
      return send({ refused: describeOpenFailure(path, error) });
    db = openEmpty();
    use(db);
    send({ opened: true, failure: toFailure(error) });
  }
}

/**
 * On a read-only disk, a database that was closed properly has no log file, and does not change.
 */
function connect(path: string, live: boolean): Database {
  const frozen = !live && !existsSync(`${path}-wal`);
  return openForReading(path, frozen);
}

function use(db: Database): void {
  statements = new Statements(db);
  queries = prepareQueries(statements);
}

function answer(id: number, name: keyof Queries, values: readonly unknown[]): void {
  try {
    const query = queries?.[name] as (...values: readonly unknown[]) => unknown;
    send({ id, result: query(...values) });
  } catch (error) {
    send({ id, failure: toFailure(error) });
  }
}

function describeOpenFailure(path: string, error: unknown): string {
  return `${path} cannot be opened (${errorMessage(error)}). Its disk fails or is full, or a needed upgrade cannot be written. Nothing was changed. Check the disk, then start again.`;
}

function toFailure(error: unknown): ReadFailure {
  return { trouble: classifyError(error), message: errorMessage(error) };
}
