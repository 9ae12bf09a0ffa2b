import { added, has, type Recent } from "../normalize/recent.ts";

/**
 * Items are named after what the wire calls them: messages, calls, asks, tasks, hooks. A name that comes
 * again means something else, and what was shown under it stays: the later item gets an id of its own.
 */
export interface Renamed {
  readonly name: string;
  readonly id: string;
}

/** As many items as a name is remembered for: names come again soon, or never. */
const MOST_IDS = 256;
const MOST_RENAMED = 64;

/** What we name ourselves. */
const OURS = /^(?:note|turn|compaction)-/;

export function idFor(ids: Recent, name: string): string {
  if (!has(ids, name) && !OURS.test(name)) return name;
  for (let use = 2; ; use++) {
    const id = `${name}~${use}`;
    if (!has(ids, id)) return id;
  }
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
