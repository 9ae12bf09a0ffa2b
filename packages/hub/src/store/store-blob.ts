import type { Cell } from "./cells.ts";
import type { Statements } from "./statements.ts";

export type StoreBlob = (session: string, hash: string, bytes: Uint8Array) => void;

export function storeBlob(db: Statements): StoreBlob {
  const insert = db.prepare(`INSERT OR IGNORE INTO blobs ("hash", "bytes") VALUES (?, ?)`);
  const hold = db.prepare(`INSERT OR IGNORE INTO blobHolders ("hash", "session") VALUES (?, ?)`);
  return (session, hash, bytes) => {
    insert.run(hash, bytes);
    hold.run(hash, session);
  };
}

/** Creates a blob from stored pieces, which are dropped if the blob already exists. */
export function longBlob(db: Statements): (values: Cell[]) => void {
  const blob = storeBlob(db);
  const there = db.prepare<{ size: number | null }, [string]>(
    `SELECT sum(length("bytes")) AS "size" FROM pieces WHERE "of" = ?`,
  );
  const known = db.prepare(`SELECT 1 FROM blobs WHERE "hash" = ?`);
  const insert = db.prepare(`INSERT INTO longBlobs ("hash", "of", "size") VALUES (?, ?, ?)`);
  const drop = db.prepare(`DELETE FROM pieces WHERE "of" = ?`);
  return (values) => {
    const [session, hash, of, size] = values as [string, string, string, number];
    if (there.get(of)?.size !== size) throw new Error("pieces of a long line are missing");
    const isNew = known.get(hash) === null;
    blob(session, hash, new Uint8Array());
    if (isNew) insert.run(hash, of, size);
    else drop.run(of);
  };
}
