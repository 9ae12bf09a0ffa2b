import type { Item } from "@signalbox/client";

/** The finished work of a turn, folded into one row. */
export interface WorkRow {
  /** The turn's end, by which the fold is remembered. */
  readonly turnEnd: string;
  /** The items of the work, in their order. */
  readonly items: readonly string[];
}

/** The rows of a conversation: the ids of items, and the keys of folded work. */
export interface TurnRows {
  readonly rows: readonly string[];
  readonly work: ReadonlyMap<string, WorkRow>;
}

/** The key of the row that folds a turn's work. */
export const workKey = (turnEnd: string) => `work:${turnEnd}`;

type RowItem = Pick<Item, "kind" | "id"> & {
  readonly background?: { readonly status: string };
};

/** Items that are never folded: what people said, and where the conversation was compacted. */
const unfoldedKinds: ReadonlySet<string> = new Set(["prompt", "compaction", "turn-end"]);

const endedStatuses: ReadonlySet<string> = new Set(["completed", "failed", "killed", "stopped"]);

/** Whether a call has started work that still runs in the background. */
export function runsInBackground({ background }: RowItem): boolean {
  return background !== undefined && !endedStatuses.has(background.status);
}

const nothing = () => false;

/**
 * Folds the work of finished turns. `ids` are the top-level items in their order; `isOpen` says whether the
 * work of a turn is unfolded. The last texts before the end of a turn are its answer and stay in sight, and so
 * does work that runs in the background, or that `keepsInSight` names.
 */
export function foldTurns(
  ids: readonly string[],
  find: (id: string) => RowItem | undefined,
  isOpen: (turnEnd: string) => boolean,
  keepsInSight: (id: string) => boolean = nothing,
): TurnRows {
  const staysInSight = (item: RowItem) =>
    unfoldedKinds.has(item.kind) || runsInBackground(item) || keepsInSight(item.id);
  const rows: string[] = [];
  const work = new Map<string, WorkRow>();
  let turn: RowItem[] = [];
  const flush = () => {
    rows.push(...turn.map(({ id }) => id));
    turn = [];
  };
  for (const id of ids) {
    const item = find(id);
    if (!item) continue;
    if (item.kind !== "turn-end") {
      turn.push(item);
      continue;
    }
    const { before, folded, after } = splitTurn(turn);
    turn = [];
    rows.push(...before);
    if (folded.some(({ kind }) => kind === "tool")) {
      const key = workKey(id);
      const items = folded.map((one) => one.id);
      work.set(key, { turnEnd: id, items });
      rows.push(key);
      if (isOpen(id)) rows.push(...items);
      else rows.push(...folded.filter(staysInSight).map((one) => one.id));
    } else {
      rows.push(...folded.map((one) => one.id));
    }
    rows.push(...after, id);
  }
  flush();
  return { rows, work };
}

/** Splits a turn into the prompts that began it, its work, and its answer. */
function splitTurn(turn: readonly RowItem[]): {
  readonly before: readonly string[];
  readonly folded: readonly RowItem[];
  readonly after: readonly string[];
} {
  const start = turn.findIndex(({ kind }) => kind !== "prompt");
  const from = start === -1 ? turn.length : start;
  const lastWork = turn.findLastIndex(({ kind }) => kind !== "text" && !isQuiet(kind));
  const answer = turn.findIndex(({ kind }, index) => index > lastWork && kind === "text");
  const to = Math.max(from, answer === -1 ? turn.length : answer);
  return {
    before: turn.slice(0, from).map(({ id }) => id),
    folded: turn.slice(from, to),
    after: turn.slice(to).map(({ id }) => id),
  };
}

/** Items that may stand between the texts of an answer without being work. */
function isQuiet(kind: string): boolean {
  return kind === "notice" || kind === "hook" || kind === "opaque" || kind === "task";
}
