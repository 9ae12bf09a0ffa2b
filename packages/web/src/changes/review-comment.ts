/** A comment on lines of a change, or on a whole file. */
export interface ReviewComment {
  readonly id: string;
  readonly path: string;
  /** The side of the change that the lines are on. */
  readonly side: "old" | "new";
  /** Undefined: the whole file. */
  readonly lines?: { readonly first: number; readonly last: number };
  /** What the lines said when the comment was written. */
  readonly code: string;
  /** The lines before and after them, by which they are found again once they have changed. */
  readonly before?: string;
  readonly after?: string;
  readonly text: string;
  readonly state: "pending" | "sent" | "resolved" | "deleted";
  /** When it was changed last. */
  readonly at: number;
}

/** Comments that were deleted are remembered, so that another device does not bring them back. */
const MAX_DELETED = 100;
/** Older ones of those that are resolved are forgotten. */
const MAX_RESOLVED = 100;

/** The comments of two devices: of each the one that was changed last. */
export function mergeComments(
  one: readonly ReviewComment[],
  other: readonly ReviewComment[],
): ReviewComment[] {
  const merged = new Map(one.map((comment) => [comment.id, comment]));
  for (const comment of other) {
    const known = merged.get(comment.id);
    if (!known || known.at < comment.at) merged.set(comment.id, comment);
  }
  const all = [...merged.values()];
  const isOld = listOldest(all, "deleted", MAX_DELETED);
  const isDone = listOldest(all, "resolved", MAX_RESOLVED);
  return all.filter((comment) => !isOld.has(comment) && !isDone.has(comment));
}

function listOldest(
  all: readonly ReviewComment[],
  state: ReviewComment["state"],
  limit: number,
): ReadonlySet<ReviewComment> {
  const some = all.filter((comment) => comment.state === state);
  return new Set(some.toSorted((a, b) => b.at - a.at).slice(limit));
}

export function serializeComments(comments: readonly ReviewComment[]): string {
  return comments.length === 0 ? "" : JSON.stringify({ comments });
}

/** Reads what `serializeComments` wrote. Anything else is no comments. */
export function parseComments(text: string): ReviewComment[] {
  try {
    const { comments } = JSON.parse(text) as { comments?: unknown };
    return Array.isArray(comments) ? comments.filter(isComment) : [];
  } catch {
    return [];
  }
}

function isComment(value: unknown): value is ReviewComment {
  if (typeof value !== "object" || value === null) return false;
  const { id, path, text, code, at } = value as Record<string, unknown>;
  return [id, path, text, code].every((one) => typeof one === "string") && typeof at === "number";
}
