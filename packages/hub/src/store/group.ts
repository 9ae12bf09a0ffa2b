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
/** What became of each commit of a group; null: it is stored. */
export type Outcome = (CommitRefusal | null)[];

/**
 * Writes a group of commits in one transaction. When one of them is refused, such as for a line that is
 * there already, the others are written nonetheless. Throws when the store itself is in trouble; then
 * nothing of the group is there.
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

/** The careful way: each commit of the group can be taken back by itself. */
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
