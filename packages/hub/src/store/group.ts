import { errorMessage } from "@signalbox/protocol/text";
import type { Database } from "bun:sqlite";
import { type Apply, WriteConflict } from "./apply.ts";
import { type Cell, findEnd } from "./cells.ts";
import { inTransaction } from "./database.ts";
import { classifyError } from "./trouble.ts";

/** Why one commit of a group was not stored. */
export interface CommitRefusal {
  readonly why: "refused" | "conflict";
  readonly message: string;
}
/** The result of each commit of a group; null: it was stored. */
export type Outcome = (CommitRefusal | null)[];

/**
 * Writes a group of commits in one transaction. If one of them is refused, for example because its
 * line already exists, the others are still written. Throws if the store itself fails; then nothing
 * of the group is stored.
 */
export function writeGroup(db: Database, apply: Apply, cells: readonly Cell[]): Outcome {
  try {
    return inTransaction(db, () => {
      const outcome: Outcome = [];
      for (let at = 0; at < cells.length; outcome.push(null)) at = apply(cells, at);
      return outcome;
    });
  } catch (error) {
    if (classifyError(error)) throw error;
    return writeApart(db, apply, cells);
  }
}

/** Writes each commit of the group separately, so that each can be rolled back. */
function writeApart(db: Database, apply: Apply, cells: readonly Cell[]): Outcome {
  return inTransaction(db, () => {
    const outcome: Outcome = [];
    for (let at = 0; at < cells.length; at = findEnd(cells, at)) {
      db.run("SAVEPOINT one");
      try {
        apply(cells, at);
        outcome.push(null);
      } catch (error) {
        if (classifyError(error) || !db.inTransaction) throw error;
        db.run("ROLLBACK TO one");
        outcome.push(toRefusal(error));
      }
      db.run("RELEASE one");
    }
    return outcome;
  });
}

export function toRefusal(error: unknown): CommitRefusal {
  const message = errorMessage(error);
  return { why: error instanceof WriteConflict ? "conflict" : "refused", message };
}
