/**
 * A bounded memory of ids, each stored as a number: 40 bits of the id and 13 bits of the content
 * that had it. Two of its thousands of ids collide once in a hundred million lines, and then the
 * content tells them apart. Another 40 bits of the content are stored beside the number, so that
 * nothing is dropped because it looks like something else. A memory has its full size from the
 * start and is plain data. The list of recent keys changes with every line; the pages change seldom
 * and can be stored separately.
 */
export interface RecentIds {
  readonly young: readonly number[];
  /** The further content bits of each recent key. A state of an older version has none. */
  readonly beside?: readonly number[];
  readonly pages: readonly IdPage[];
  /** The page that is being filled, and how many more keys it takes. */
  readonly at: number;
  readonly free: number;
}

/**
 * A hash table indexed by the id's last bits. Half of it stays empty, so that a missing key is
 * found out quickly. A wide page has the further content bits behind the keys.
 */
export type IdPage = readonly number[];

const MAX_YOUNG = 64;
const SLOTS = 1024;
const PAGE_SIZE = SLOTS / 2;
const BITS_20 = 2 ** 20;
/** How many contents of one id the key alone can tell apart. */
const PRINTS = 2 ** 13;
/** Larger than every key, and as long when written out. */
const NOTHING = 2 ** 53;
const EMPTY: IdPage = Array.from({ length: SLOTS }, () => NOTHING);
const EMPTY_WIDE: IdPage = [...EMPTY, ...EMPTY];

/** Every page is an array of its own, so that a memory takes all its space at once. */
function emptyPage(wide: boolean): IdPage {
  return (wide ? EMPTY_WIDE : EMPTY).slice();
}

/** Converts a stored page to the wanted width. */
export function toWidePage(page: IdPage | undefined, wide: boolean): IdPage {
  if (page === undefined) return emptyPage(wide);
  return wide && page.length === SLOTS ? [...page, ...EMPTY] : page;
}

/**
 * Creates a memory of at least the last `(pages - 1) * 512` ids. A `wide` one also remembers their
 * contents.
 */
export function createRecentIds(pages: number, wide: boolean): RecentIds {
  const empty = Array.from({ length: pages }, () => emptyPage(wide));
  return { young: [], beside: [], pages: empty, at: 0, free: PAGE_SIZE };
}

export function hasId(memory: RecentIds, id: string): boolean {
  return lookUpId(memory, id, 0) !== "unknown";
}

/**
 * Whether an id is known, and whether it had this content. `print` is a number that stands for the
 * content.
 */
export function lookUpId(
  { young, beside, pages }: RecentIds,
  id: string,
  print: number,
): "unknown" | "other" | "same" {
  const hash = hashKey(id);
  const least = hash * PRINTS;
  const key = least + (print % PRINTS);
  const rest = getFingerprintRest(print);
  const first = hash & (SLOTS - 1);
  let known = false;
  for (let at = 0; at < pages.length; at++) {
    const page = pages[at] as IdPage;
    let there = page[first];
    if (there === NOTHING) continue; // Most pages do not contain the key and need no further look.
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

/** Adds an id. When all pages are full, the oldest one is cleared and reused. */
export function addId(memory: RecentIds, id: string, print = 0): RecentIds {
  const { young, pages, at, free } = memory;
  const next = young.slice();
  next.push(hashKey(id) * PRINTS + (print % PRINTS));
  const beside = memory.beside?.slice() ?? young.map(() => NOTHING);
  beside.push(getFingerprintRest(print));
  if (next.length < MAX_YOUNG) return { young: next, beside, pages, at, free };
  const page = pages[at] ?? [];
  const filled = pages.with(at, insertKeys(page, next, beside));
  const left = free - MAX_YOUNG;
  if (left > 0) return { young: [], beside: [], pages: filled, at, free: left };
  const turned = (at + 1) % pages.length;
  const emptied = filled.with(turned, emptyPage(page.length > SLOTS));
  return { young: [], beside: [], pages: emptied, at: turned, free: PAGE_SIZE };
}

/** Whether adding another id would forget an old one. */
export function isFull({ young, pages, at, free }: RecentIds): boolean {
  return at === pages.length - 1 && free === MAX_YOUNG && young.length === MAX_YOUNG - 1;
}

function insertKeys(page: IdPage, keys: readonly number[], beside: readonly number[]): IdPage {
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

/** The slot of a key and its further content bits in a page, or the free slot where it would go. */
function findSlot(page: IdPage, key: number, rest: number): number {
  let slot = Math.floor(key / PRINTS) & (SLOTS - 1);
  for (;;) {
    const there = page[slot];
    if (there === NOTHING || there === undefined) return slot;
    if (there === key && isSame(page[SLOTS + slot], rest)) return slot;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/** The part of a print for which the key has no space. */
function getFingerprintRest(print: number): number {
  return Math.floor(print / PRINTS) || NOTHING;
}

/** An entry of an older version has no further content bits and is known by its key alone. */
function isSame(beside: number | undefined, rest: number): boolean {
  return beside === rest || beside === undefined || beside === NOTHING;
}

/** The id that was looked up last is often added next. */
let lastId = "";
let lastKey = 0;

function hashKey(id: string): number {
  if (id !== lastId) [lastId, lastKey] = [id, hashText(id)];
  return lastKey;
}

/** A page as text, in which empty slots take little space. */
export function formatIdPage(page: IdPage): string {
  if (page.every((key) => key === NOTHING)) return "";
  return page.map((key) => (key === NOTHING ? 0 : key)).join(",");
}

/** Undefined if the page is empty. */
export function parseIdPage(text: string): IdPage | undefined {
  return text === "" ? undefined : text.split(",").map((key) => Number(key) || NOTHING);
}

/** Two FNV-1a hashes computed together; of each, the 20 bits that are mixed best. */
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
