import { addId, hasId, isFull, type IdMemory } from "../id-memory.ts";

/**
 * Items are named after what the wire calls them: messages, calls, asks, tasks, hooks. A name that comes
 * again means something else, and what was shown under it stays: the later item has its place in its id,
 * which no other has. Names are remembered up to a number; from then on every id is made so.
 */
export const NAME_PAGES = 2;

/** What we name ourselves, and what looks like an id with a place in it. */
const OWN_ID = /^(?:note|turn|compaction)-|~/;

export function isTaken(names: IdMemory, name: string): boolean {
  return isFull(names) || hasId(names, name) || OWN_ID.test(name);
}

export function addName(names: IdMemory, name: string): IdMemory {
  return addId(names, name);
}

export function createIdAt(name: string, order: number): string {
  return `${name}~${order}`;
}

/** Whether an item with this id goes by the name on the wire. A name that looks like an id is none. */
export function matchesName(id: string, name: string): boolean {
  if (id.length <= name.length) return id === name && !name.includes("~");
  return (
    id.charCodeAt(name.length) === TILDE &&
    id.lastIndexOf("~") === name.length &&
    id.startsWith(name)
  );
}

const TILDE = 126;

/** Of a call that is not known any more, or never was: a name that could be another's id is made none. */
export function createUnknownId(name: string): string {
  return name.includes("~") ? `${name}~` : name;
}

/** A call with an id of its own, for what is said under it after it was settled. */
export interface Lane {
  readonly name: string;
  readonly id: string;
}

const MAX_LANES = 64;

/** With one more, or with one that was used: those that nobody uses go first. */
export function addLane(lanes: readonly Lane[], lane: Lane): readonly Lane[] {
  return [...lanes.filter(({ name }) => name !== lane.name), lane].slice(-MAX_LANES);
}
