/**
 * The ids of the last messages, in chunks: a full chunk is never touched again, so that to remember one
 * more costs little, and states share what they have in common.
 */
export interface Recent {
  readonly young: readonly string[];
  readonly full: readonly (readonly string[])[];
}

const CHUNK = 64;
/** With the young ones that makes 512: what an agent prints again after a reconnect may be long. */
const MOST_FULL = 7;

/** Of a uuid the last half will do: it has more bits than chance can meet. */
function keyOf(uuid: string): string {
  return uuid.length === 36 ? uuid.slice(19) : uuid;
}

export function has({ young, full }: Recent, uuid: string): boolean {
  const key = keyOf(uuid);
  if (young.includes(key)) return true;
  for (const chunk of full) if (setOf(chunk).has(key)) return true;
  return false;
}

export function added({ young, full }: Recent, uuid: string): Recent {
  const next = young.slice();
  next.push(keyOf(uuid));
  if (next.length < CHUNK) return { young: next, full };
  return { young: [], full: [...full.slice(1 - MOST_FULL), next] };
}

/** What a chunk holds, to be looked up: beside the data, made when it is first asked for. */
const sets = new WeakMap<readonly string[], Set<string>>();

function setOf(chunk: readonly string[]): Set<string> {
  let set = sets.get(chunk);
  if (!set) sets.set(chunk, (set = new Set(chunk)));
  return set;
}
