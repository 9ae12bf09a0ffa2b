import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

/**
 * The prepared statements of one connection. They are finalized before the connection closes,
 * because it would stay open otherwise.
 */
export class Statements implements Disposable {
  readonly #db: Database;
  readonly #made: { finalize(): void }[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  prepare<Row = unknown, Values extends SQLQueryBindings[] = SQLQueryBindings[]>(
    sql: string,
  ): Statement<Row, Values> {
    const statement = this.#db.prepare(sql) as unknown as Statement<Row, Values>;
    this.#made.push(statement);
    return statement;
  }

  [Symbol.dispose](): void {
    for (const statement of this.#made.splice(0)) statement.finalize();
  }
}
