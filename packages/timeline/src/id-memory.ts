/**
 * Ids that were seen, each as a number: 40 bits of the id, 13 of what was said under it. Two ids of the
 * thousands that it holds are taken for the same once in hundred million lines, and then what they say
 * tells them apart. Of what was said 40 more bits stand beside it, so that nothing is dropped because it
 * looks like something else. A memory is as large when it is new as it will ever be, and plain data. The
 * young ones change with every line; pages change seldom, and can be stored apart.
 */
export interface IdMemory {
  readonly young: readonly number[];
  /** What stands beside each of the young; a state of an older version has none. */
  readonly beside?: readonly number[];
  readonly pages: readonly MemoryPage[];
  /** The page that is being filled, and how many more it takes. */
  readonly at: number;
  readonly free: number;
}

/**
 * A table by the id's last bits, half of it empty, so that whatever is not there is missed at once. Behind
 * it, in a page that is wide, what stands beside each key.
 */
export type MemoryPage = readonly number[];

const MOST_YOUNG = 64;
const SLOTS = 1024;
const PAGE_SIZE = SLOTS / 2;
const BITS_20 = 2 ** 20;
/** How many things that were said under one id the key alone tells apart. */
const PRINTS = 2 ** 13;
/** Above every key, and as long when it is written out. */
const NOTHING = 2 ** 53;
const EMPTY: MemoryPage = Array.from({ length: SLOTS }, () => NOTHING);
const EMPTY_WIDE: MemoryPage = [...EMPTY, ...EMPTY];

/** Each is an array of its own: a memory takes its room at once. */
function emptyPage(wide: boolean): MemoryPage {
  return (wide ? EMPTY_WIDE : EMPTY).slice();
}

/** A page as it is to be, of one that was stored. */
export function toWidePage(page: MemoryPage | undefined, wide: boolean): MemoryPage {
  if (page === undefined) return emptyPage(wide);
  return wide && page.length === SLOTS ? [...page, ...EMPTY] : page;
}

/** One that remembers at least the last `(pages - 1) * 512` ids; `wide`: and what was said under them. */
export function createIdMemory(pages: number, wide: boolean): IdMemory {
  const empty = Array.from({ length: pages }, () => emptyPage(wide));
  return { young: [], beside: [], pages: empty, at: 0, free: PAGE_SIZE };
}

export function hasId(memory: IdMemory, id: string): boolean {
  return lookUpId(memory, id, 0) !== "unknown";
}

/** Whether an id is known, and whether this was said under it: `print` is a number that stands for that. */
export function lookUpId(
  { young, beside, pages }: IdMemory,
  id: string,
  print: number,
): "unknown" | "other" | "same" {
  const hash = hashKey(id);
  const least = hash * PRINTS;
  const key = least + (print % PRINTS);
  const rest = restOfFingerprint(print);
  const first = hash & (SLOTS - 1);
  let known = false;
  for (let at = 0; at < pages.length; at++) {
    const page = pages[at] as MemoryPage;
    let there = page[first];
    if (there === NOTHING) continue; // of most pages there is no more to be seen
    for (let slot = first; there !== NOTHING && there !== undefined; there = page[slot]) {
      if (there === key && isSame(page[SLOTS + slot], rest)) return "same";
      if (there >= least && there < least + PRINTS) known = true;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }
  for (let at = 0; at < young.length; at++) {
    const there = young[at] as number;
    if (there >= least && there < least + PRINTS) {
      if (there === key && isSame(beside?.[at], rest)) return "same";
      known = true;
    }
  }
  return known ? "other" : "unknown";
}

/** One more. When all pages are full, the oldest is begun anew. */
export function addId(memory: IdMemory, id: string, print = 0): IdMemory {
  const { young, pages, at, free } = memory;
  const next = young.slice();
  next.push(hashKey(id) * PRINTS + (print % PRINTS));
  const beside = memory.beside?.slice() ?? young.map(() => NOTHING);
  beside.push(restOfFingerprint(print));
  if (next.length < MOST_YOUNG) return { young: next, beside, pages, at, free };
  const page = pages[at] ?? [];
  const filled = pages.with(at, insertKeys(page, next, beside));
  const left = free - MOST_YOUNG;
  if (left > 0) return { young: [], beside: [], pages: filled, at, free: left };
  const turned = (at + 1) % pages.length;
  const emptied = filled.with(turned, emptyPage(page.length > SLOTS));
  return { young: [], beside: [], pages: emptied, at: turned, free: PAGE_SIZE };
}

/** One more would make it forget. */
export function isFull({ young, pages, at, free }: IdMemory): boolean {
  return at === pages.length - 1 && free === MOST_YOUNG && young.length === MOST_YOUNG - 1;
}

function insertKeys(
  page: MemoryPage,
  keys: readonly number[],
  beside: readonly number[],
): MemoryPage {
  const next = page.slice();
  const wide = page.length > SLOTS;
  for (const [at, key] of keys.entries()) {
    const rest = beside[at] ?? NOTHING;
    const slot = findSlot(next, key, rest);
    next[slot] = key;
    if (wide) next[SLOTS + slot] = rest;
  }
  return next;
}

/** Where a key stands in a page with what is beside it, or would. */
function findSlot(page: MemoryPage, key: number, rest: number): number {
  let slot = Math.floor(key / PRINTS) & (SLOTS - 1);
  for (;;) {
    const there = page[slot];
    if (there === NOTHING || there === undefined) return slot;
    if (there === key && isSame(page[SLOTS + slot], rest)) return slot;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/** What of a print the key has no room for. */
function restOfFingerprint(print: number): number {
  return Math.floor(print / PRINTS) || NOTHING;
}

/** What was remembered before there was anything beside it is told by its key alone. */
function isSame(beside: number | undefined, rest: number): boolean {
  return beside === rest || beside === undefined || beside === NOTHING;
}

/** What was looked for is often added next. */
let lastId = "";
let lastKey = 0;

function hashKey(id: string): number {
  if (id !== lastId) [lastId, lastKey] = [id, hashText(id)];
  return lastKey;
}

/** A page as text, where what is empty takes little room. */
export function formatPage(page: MemoryPage): string {
  if (page.every((key) => key === NOTHING)) return "";
  return page.map((key) => (key === NOTHING ? 0 : key)).join(",");
}

/** Undefined: it is empty. */
export function parsePage(text: string): MemoryPage | undefined {
  return text === "" ? undefined : text.split(",").map((key) => Number(key) || NOTHING);
}

/** Two hashes of the kind FNV-1a side by side, of each the 20 bits that are mixed best. */
function hashText(id: string): number {
  let one = 0x811c9dc5;
  let other = 0xcbf29ce4;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b);
  }
  return (one >>> 12) * BITS_20 + (other >>> 12);
}
