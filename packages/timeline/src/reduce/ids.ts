import { added, has, type Recent } from "../normalize/recent.ts";

/**
 * Items are named after what the wire calls them: messages, calls, asks, tasks, hooks. A name that comes
 * again means something else, and what was shown under it stays: the later item gets an id of its own.
 */
export interface Renamed {
  readonly name: string;
  readonly id: string;
  readonly use: number;
}

/** As many items as a name is remembered for: it comes again soon, or never. One that did is kept longer. */
const MOST_IDS = 96;
const MOST_RENAMED = 64;

/** What we name ourselves. */
const OURS = /^(?:note|turn|compaction)-/;

/** Which use of its name an item is: 1 is the first. */
export function useOf(ids: Recent, renamed: readonly Renamed[], name: string): number {
  const last = renamed.find((one) => one.name === name);
  if (last) return last.use + 1;
  return has(ids, name) || OURS.test(name) ? 2 : 1;
}

export function withId(ids: Recent, id: string): Recent {
  return added(ids, id, MOST_IDS);
}

export function withRenamed(renamed: readonly Renamed[], one: Renamed): readonly Renamed[] {
  return [...renamed.filter(({ name }) => name !== one.name), one].slice(-MOST_RENAMED);
}

export function nameOf(renamed: readonly Renamed[], name: string): string {
  for (const one of renamed) if (one.name === name) return one.id;
  return name;
}
