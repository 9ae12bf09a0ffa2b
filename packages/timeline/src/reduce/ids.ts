import { addId, hasId, isFull, type RecentIds } from "../recent-ids.ts";

/**
 * Items are named by the ids on the wire: of messages, calls, asks, tasks and hooks. A name that
 * comes again means something new, and the first item stays: the id of the later item contains its
 * position, which is unique. A limited number of names is remembered; beyond it every id contains a
 * position.
 */
export const NAME_PAGES = 2;

/** Names that we make, and names that look like an id with a position in it. */
const OWN_ID = /^(?:note|turn|compaction)-|~/;

export function isTaken(names: RecentIds, name: string): boolean {
  return isFull(names) || hasId(names, name) || OWN_ID.test(name);
}

export function addName(names: RecentIds, name: string): RecentIds {
  return addId(names, name);
}

export function createIdAt(name: string, order: number): string {
  return `${name}~${order}`;
}

/**
 * Whether an item with this id is found by its name on the wire. A name that looks like such an id
 * is never used as an id.
 */
export function matchesName(id: string, name: string): boolean {
  if (id.length <= name.length) return id === name && !name.includes("~");
  return (
    id.charCodeAt(name.length) === TILDE &&
    id.lastIndexOf("~") === name.length &&
    id.startsWith(name)
  );
}

const TILDE = 126;

/**
 * The id of a call that is no longer known, or never was. A name that could be the id of another
 * item is replaced.
 */
export function createUnknownId(name: string): string {
  return name.includes("~") ? `${name}~` : name;
}

/**
 * Remembers a call whose id differs from its name, for messages that refer to it after it was
 * settled.
 */
export interface LaneIds {
  readonly name: string;
  readonly id: string;
}

const MAX_LANES = 64;

/**
 * Adds an entry, or moves a used one to the end. The least recently used entries are dropped first.
 */
export function addLane(lanes: readonly LaneIds[], lane: LaneIds): readonly LaneIds[] {
  return [...lanes.filter(({ name }) => name !== lane.name), lane].slice(-MAX_LANES);
}
