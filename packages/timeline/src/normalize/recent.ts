/**
 * The last ids, each as a number: what is kept stays small, and to look for one in a list of numbers costs
 * next to nothing. Of 48 random bits, two among a hundred are the same once in 10¹² times.
 * The young ones stand apart, so that to remember one more is to copy a few.
 */
export interface Recent {
  readonly young: readonly number[];
  readonly old: readonly number[];
}

export const nothingRecent: Recent = { young: [], old: [] };

export function has({ young, old }: Recent, id: string): boolean {
  const key = keyOf(id);
  return young.includes(key) || old.includes(key);
}

const MOST_YOUNG = 8;

/** One more, and of those before it at least the last `most`. */
export function added({ young, old }: Recent, id: string, most: number): Recent {
  const next = [...young, keyOf(id)];
  if (next.length < MOST_YOUNG) return { young: next, old };
  return { young: [], old: [...old.slice(MOST_YOUNG - most), ...next] };
}

const UUID_LENGTH = 36;

/** Of a uuid its last part, which is random; of any other id a hash. */
function keyOf(id: string): number {
  const key = id.length === UUID_LENGTH ? Number.parseInt(id.slice(-12), 16) : Number.NaN;
  return Number.isNaN(key) ? hashOf(id) : key;
}

/** Two hashes of the kind FNV-1a side by side: 52 bits. */
function hashOf(id: string): number {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
