import { Database } from "bun:sqlite";
import { join } from "node:path";

/** Writes the database of a data folder as somebody does who has no key. */
export function tamper({ data }: { readonly data: string }, change: (db: Database) => void): void {
  const db = new Database(join(data, "signalbox.sqlite"));
  change(db);
  db.close();
}
