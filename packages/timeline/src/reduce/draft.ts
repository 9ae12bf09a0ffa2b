import { MAIN, type Lane } from "../event.ts";
import { type RecentIds, createRecentIds } from "../recent-ids.ts";
import {
  matchesName,
  createIdAt,
  createUnknownId,
  isTaken,
  type LaneIds as CallLane,
  NAME_PAGES,
  addLane,
  addName,
} from "./ids.ts";
import type { Item, ItemBody, ItemOfKind } from "../item.ts";
import { createSummary, type Summary } from "./summary.ts";

/**
 * The state between events: the items that may still change, and the summary. Plain data; every
 * field is always present, with null for nothing.
 */
export interface ReduceState {
  readonly rev: number;
  readonly nextOrder: number;
  readonly turn: number;
  readonly inTurn: boolean;
  /** The time of the current line. */
  readonly now: number | null;
  readonly open: readonly Item[];
  /** The block that is being written. It is newer than its copy in `open`. */
  readonly growing: Item | null;
  /** The names that items have had, and the calls whose id differs from their name. */
  readonly names: RecentIds;
  readonly lanes: readonly CallLane[];
  readonly summary: Summary;
}

export function createReduceState(): ReduceState {
  return {
    rev: 0,
    nextOrder: 0,
    turn: 0,
    inTurn: false,
    now: null,
    open: [],
    growing: null,
    names: createRecentIds(NAME_PAGES, false),
    lanes: [],
    summary: createSummary(),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Body = ItemBody & { readonly parent?: string };

interface ItemPosition {
  readonly id: string;
  readonly order: number;
  readonly turn: number;
  readonly at: number | null;
  readonly rev: number;
}

/** Kinds of items that have names in common on the wire: a block may turn out to be a call. */
type Family = "said" | "prompt" | "ask" | "task" | "hook";
type Member<F extends Family> = F extends "said"
  ? ItemOfKind<"text" | "thinking" | "block" | "tool">
  : Extract<Item, { kind: F }>;

/** No message on the wire refers to an item that only we name. */
function findFamily(kind: Item["kind"]): Family | undefined {
  switch (kind) {
    case "text":
    case "thinking":
    case "block":
    case "tool":
      return "said";
    case "prompt":
    case "ask":
    case "task":
    case "hook":
      return kind;
    default:
      return undefined;
  }
}

/**
 * Text items are the most frequent. They are written out field by field, at half the cost of a
 * copy.
 */
function newItem({ id, order, turn, at, rev }: ItemPosition, body: Body): Item {
  if (body.kind === "text" && body.parent === undefined) {
    const { kind, text, live } = body;
    if (at === null) return { id, order, turn, rev, kind, text, live };
    return { id, order, turn, at, rev, kind, text, live };
  }
  return at === null ? { id, order, turn, rev, ...body } : { id, order, turn, at, rev, ...body };
}

/**
 * The state while an event is handled. Its methods are the only ways to create and change items.
 * Values of the previous state are never changed.
 */
export class ItemDraft {
  rev: number;
  nextOrder: number;
  turn: number;
  inTurn: boolean;
  readonly now: number | null;
  /** The items that this line created or changed, in the order of the changes. */
  readonly changed: Item[] = [];
  #open: readonly Item[];
  #names: RecentIds;
  #lanes: readonly CallLane[];
  #summary: Mutable<Summary>;
  #hasOwnSummary = false;

  constructor(before: ReduceState, at: number | undefined) {
    this.rev = before.rev;
    this.nextOrder = before.nextOrder;
    this.turn = before.turn;
    this.inTurn = before.inTurn;
    this.now = at ?? before.now;
    this.#open = before.open;
    this.#names = before.names;
    this.#lanes = before.lanes;
    this.#summary = before.summary;
    if (before.growing) this.#replace(before.growing);
  }

  /** The turn of an item that is created now. Between turns this is the next turn. */
  get nextTurn(): number {
    return this.inTurn ? this.turn : this.turn + 1;
  }

  get open(): readonly Item[] {
    return this.#open;
  }

  /** The summary, for reading. */
  get summary(): Summary {
    return this.#summary;
  }

  /** The summary, for changing: its fields may be assigned, and their values are replaced. */
  get newSummary(): Mutable<Summary> {
    if (!this.#hasOwnSummary) this.#summary = { ...this.#summary };
    this.#hasOwnSummary = true;
    return this.#summary;
  }

  /**
   * Finds an item that may still change, by its family and its name on the wire: a call and an ask
   * may have the same name. The newest are checked first, because they change most often.
   */
  find<F extends Family>(family: F, name: string): Member<F> | undefined {
    return this.#open.findLast(
      (item): item is Member<F> => matchesName(item.id, name) && findFamily(item.kind) === family,
    );
  }

  call(name: string | undefined): ItemOfKind<"tool"> | undefined {
    const item = name === undefined ? undefined : this.find("said", name);
    return item?.kind === "tool" ? item : undefined;
  }

  /**
   * The parent of an item of a subagent: the call under which the subagent runs. `own` is the name
   * of a call itself, which must not become its own parent.
   */
  under(lane: Lane, own?: string): { parent?: string } {
    if (lane === MAIN) return {};
    const parent = this.#findCall(lane);
    return own !== undefined && this.#isBelow(parent, own) ? {} : { parent };
  }

  /**
   * Whether an item is below the call `own`. Nothing is below a call that no open item refers to.
   */
  #isBelow(id: string, own: string): boolean {
    if (matchesName(id, own)) return true;
    if (!this.#open.some((item) => item.parent !== undefined && matchesName(item.parent, own))) {
      return false;
    }
    const items = new Map(this.#open.map((item) => [item.id, item]));
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !seen.has(at);) {
      if (matchesName(at, own)) return true;
      seen.add(at);
      at = items.get(at)?.parent;
    }
    return false;
  }

  #findCall(lane: Lane): string {
    const open = this.find("said", lane);
    if (open) return open.id;
    const known = this.#lanes.find(({ name }) => name === lane);
    if (known) this.#lanes = addLane(this.#lanes, known);
    return known?.id ?? createUnknownId(lane);
  }

  /** A call that is about to be settled, under which a subagent may continue. */
  keepLane(call: Item, name: string): void {
    if (call.id !== name) this.#lanes = addLane(this.#lanes, { name, id: call.id });
  }

  /**
   * Creates an item. If another item has had its name, it gets a different id and is found by the
   * name.
   */
  create(name: string, body: Body, isFinished: boolean, turn = this.turn): void {
    const family = findFamily(body.kind);
    const before = family && this.find(family, name);
    if (before) this.close(before.id);
    if (!isTaken(this.#names, name)) {
      this.#names = addName(this.#names, name);
      return this.#add(name, body, isFinished, turn);
    }
    const named = body.kind === "prompt" ? { ...body, uuid: name } : body;
    this.#add(createIdAt(name, this.nextOrder), named, isFinished, turn);
  }

  /**
   * Creates an item with an id that nobody else uses, because it contains the number of items or
   * turns.
   */
  createWithId(id: string, body: Body, isFinished: boolean, turn = this.turn): void {
    this.#add(id, body, isFinished, turn);
  }

  #add(id: string, body: Body, isFinished: boolean, turn: number): void {
    const { now } = this;
    const rev = ++this.rev;
    const order = this.nextOrder++;
    const item = newItem({ id, order, turn, at: now, rev }, body);
    if (isFinished) this.#open = [...this.#open, item];
    this.changed.push(item);
  }

  /** Adds an item without a name that will not change again. */
  addNotice(body: Body): void {
    this.createWithId(`note-${this.nextOrder}`, body, false);
  }

  /** Creates the item, or gives an open one its new body. */
  put(name: string, body: Body, isFinished: boolean): void {
    const family = findFamily(body.kind);
    const item = family && this.find(family, name);
    if (item) this.replace(item, body, isFinished);
    else this.create(name, body, isFinished);
  }

  replace({ id, order, turn, parent, at }: Item, body: Body, isFinished: boolean): void {
    const next: Mutable<Item> = { id, order, turn, rev: ++this.rev, ...body };
    if (at !== undefined) next.at = at;
    if (parent !== undefined) next.parent = parent;
    this.#settle(next, isFinished);
  }

  change<I extends Item>(item: I | undefined, changes: Partial<I>, isFinished: boolean): void {
    if (!item) return;
    const next: Mutable<Item> = { ...item };
    Object.assign(next, changes);
    next.rev = ++this.rev;
    this.#settle(next, isFinished);
  }

  close(id: string): void {
    this.#open = this.#open.filter((item) => item.id !== id);
  }

  #settle(item: Item, isFinished: boolean): void {
    if (isFinished) this.#replace(item);
    else this.close(item.id);
    this.changed.push(item);
  }

  #replace(item: Item): void {
    const at = this.#open.findLastIndex((open) => open.id === item.id);
    this.#open = at === -1 ? [...this.#open, item] : this.#open.with(at, item);
  }

  state(): ReduceState {
    const { rev, nextOrder, turn, inTurn, now } = this;
    const [open, summary, names, lanes] = [this.#open, this.#summary, this.#names, this.#lanes];
    return { rev, nextOrder, turn, inTurn, now, open, growing: null, names, lanes, summary };
  }
}
